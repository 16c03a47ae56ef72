import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright'
import { browserLaunch } from '../../scripts/browser-launch.ts'
import type { Acknowledged, PageWork, Recovery, Reopening, Way } from './plan.ts'

/** A browser whose pages are killed, with a profile that outlives them. */
export class Victim {
  readonly #url: string
  readonly #profile: string
  readonly #acknowledged: Record<string, number> = {}
  #context: BrowserContext | undefined
  #page: Page | undefined
  #gaveUp: string | undefined

  constructor(url: string, profile: string) {
    this.#url = url
    this.#profile = profile
  }

  /** What pages have said to be durable, up to now. */
  get acknowledged(): Acknowledged {
    return this.#acknowledged
  }

  /** @returns why the work ended by itself, if it did */
  async workFor(work: PageWork, milliseconds: number): Promise<string | undefined> {
    const page = this.#page ?? (await this.#navigate(this.#url))
    this.#gaveUp = undefined
    await page.evaluate(`beginWork(${JSON.stringify(work)})`)
    await new Promise((resume) => setTimeout(resume, milliseconds))
    return this.#gaveUp
  }

  async kill(way: Way): Promise<void> {
    const [context, page] = [this.#context, this.#page]
    if (context === undefined || page === undefined) throw new Error('There is nothing to kill.')
    switch (way) {
      case 'worker':
        // The next navigation leaves this page.
        await page.evaluate('endWorker()')
        return
      case 'renderer': {
        const crashed = page.waitForEvent('crash')
        const session = await context.newCDPSession(page)
        // Nobody is left to answer.
        session.send('Page.crash').catch(() => undefined)
        await crashed
        this.#page = undefined
        await page.close()
        return
      }
      case 'browser': {
        const closed = context.waitForEvent('close', { timeout: 10_000 })
        process.kill(await this.#processId(), 'SIGKILL')
        await closed
        this.#context = undefined
        this.#page = undefined
      }
    }
  }

  async recover(reopening: Reopening): Promise<Recovery> {
    const page = await this.#navigate(
      `${this.#url}?reopen=${encodeURIComponent(JSON.stringify(reopening))}`,
    )
    return page.evaluate<Recovery>(`recovery(${JSON.stringify(this.#acknowledged)})`)
  }

  /** Begins with other sessions and another page. */
  async startAnew(): Promise<void> {
    for (const id of Object.keys(this.#acknowledged)) delete this.#acknowledged[id]
    await this.#page?.close()
    this.#page = undefined
  }

  async close(): Promise<void> {
    await this.#context?.close()
  }

  async #navigate(url: string): Promise<Page> {
    this.#context ??= await this.#launch()
    this.#page ??= await this.#context.newPage()
    await this.#page.goto(url)
    return this.#page
  }

  async #launch(): Promise<BrowserContext> {
    const context = await chromium.launchPersistentContext(this.#profile, {
      headless: true,
      ...browserLaunch(),
    })
    await context.exposeFunction('acknowledge', (id: string, length: number) => {
      this.#acknowledged[id] = Math.max(this.#acknowledged[id] ?? 0, length)
    })
    await context.exposeFunction('gaveUp', (why: string) => {
      this.#gaveUp = why
    })
    return context
  }

  async #processId(): Promise<number> {
    const session: CDPSession | undefined = await this.#context?.browser()?.newBrowserCDPSession()
    const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
    const browser = processInfo.find(({ type }) => type === 'browser')
    if (browser === undefined) throw new Error('The browser does not say which process it is.')
    return browser.id
  }
}
