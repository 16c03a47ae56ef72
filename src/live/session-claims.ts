/**
 * Keeps sessions from being open for writing in two places at once, where several pages share a store. What a page
 * holds is given back when it goes, however it goes.
 */
export interface SessionClaims {
  /**
   * Claims a session for going on with it.
   *
   * @returns what gives it back; undefined while another page has it open
   */
  open(sessionId: string): Promise<(() => void) | undefined>
  /** The sessions that other pages have open. */
  openElsewhere(): Promise<ReadonlySet<string>>
}

/** Where nobody else can reach the store. */
export const noClaims: SessionClaims = {
  open: async () => () => undefined,
  openElsewhere: async () => new Set(),
}
