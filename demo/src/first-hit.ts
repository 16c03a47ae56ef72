/** Where the best hit of a search is, to go on from. */
export interface FirstHit {
  readonly session_id: string
  readonly seq: number
}

// Ids are plain words, or else JSON strings; whatever a session said is quoted and on one line.
const id = String.raw`("(?:[^"\\]|\\.)*"|[^\s":]+)`
const patterns = [
  { tool: 'session_search', session: new RegExp(`^1\\. ${id} `, 'm'), seq: /^ +seq (\d+) /m },
  {
    tool: 'session_event_search',
    session: new RegExp(`^Session ${id}`),
    seq: /^1\. seq (\d+) /m,
  },
]

/** Reads the first hit out of what a search tool said, as a model would. */
export function firstHitIn(tool: string, text: string): FirstHit | undefined {
  const pattern = patterns.find((one) => one.tool === tool)
  const session = pattern?.session.exec(text)?.[1]
  const seq = pattern?.seq.exec(text)?.[1]
  if (session === undefined || seq === undefined) return undefined
  return {
    session_id: session.startsWith('"') ? (JSON.parse(session) as string) : session,
    seq: Number(seq),
  }
}
