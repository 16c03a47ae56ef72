/** A browser that the tests drive, with one profile. */
export interface Driver {
  /** Opens another page, beside those that are open. */
  open(url: string): Promise<Tab>
  /** Ends the browser, and starts it again with the same profile, where it keeps one. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Tab {
  /** @param code an expression; what it promises is waited for */
  evaluate<Result>(code: string): Promise<Result>
  reload(): Promise<void>
  close(): Promise<void>
}

/** What a call in a page failed with. */
export interface Failed {
  readonly code: string
  readonly message: string
  readonly reason?: string
}

/** Resolves when the page has run its scripts. */
export async function ready(tab: Tab): Promise<Tab> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if ((await tab.evaluate('typeof begin')) === 'function') return tab
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error('The page did not load.')
}
