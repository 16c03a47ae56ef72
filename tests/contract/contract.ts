import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { SessionQueryErrorCode } from '../../src/core/errors.ts'
import type { CorpusOptions } from '../../src/core/options.ts'

/** A kind of corpus, and where it may differ from the others. */
export interface Implementation {
  readonly name: string
  /** Opens an empty corpus. */
  readonly open: (options?: CorpusOptions) => Promise<SessionCorpus>
  /** Runs what uses a corpus where that can be used; anywhere when it is left out. */
  readonly within?: <Result>(body: () => Promise<Result>) => Promise<Result>
  /** Cases that make no sense here, each by its full name, `topic: case`. */
  readonly skip?: readonly Exception[]
  /** Cases that fail and should not; one that passes has to be taken out. */
  readonly broken?: readonly Exception[]
}

export interface Exception {
  readonly reason: string
  readonly cases: readonly string[]
}

/** What the cases are written with. */
export interface Contract {
  topic(name: string, cases: () => void): void
  /** @param body is given a corpus that holds nothing; what it leaves there is cleared away */
  case(name: string, body: (corpus: SessionCorpus) => Promise<void>): void
  /** A corpus of the case's own, closed at its end. */
  open(options?: CorpusOptions): Promise<SessionCorpus>
}

/** The contract as cases of the test runner, over one implementation. */
export function contractOf({
  open,
  within = (body) => body(),
  skip = [],
  broken = [],
}: Implementation): Contract {
  const skipped = reasons(skip)
  const failing = reasons(broken)
  let topic = ''
  let opened: SessionCorpus | undefined

  afterEach(async () => {
    const corpus = opened
    try {
      if (corpus !== undefined) await within(() => clear(corpus))
    } catch {
      // A case that failed can leave what cannot be cleared; the next one gets a new corpus.
      opened = undefined
      await within(async () => corpus?.close().catch(() => undefined))
    }
  })

  afterAll(async () => {
    await within(async () => opened?.close())
    const unknown = [...skipped.rest, ...failing.rest]
    if (unknown.length > 0) throw new Error(`There are no such cases: ${unknown.join(', ')}`)
  })

  return {
    topic(name, cases) {
      describe(name, () => {
        topic = name
        cases()
      })
    },
    case(name, body) {
      const full = `${topic}: ${name}`
      const run = (): Promise<void> =>
        within(async () => {
          opened ??= await open()
          await body(opened)
        })
      const skipReason = skipped.take(full)
      const failReason = failing.take(full)
      if (skipReason !== undefined) it.skip(`${name} (skipped: ${skipReason})`, run)
      else if (failReason !== undefined) it.fails(`${name} (fails: ${failReason})`, run)
      else it(name, run)
    },
    async open(options) {
      const corpus = await open(options)
      onTestFinished(() => within(() => corpus.close().catch(() => undefined)))
      return corpus
    },
  }
}

/** Expects a call to fail with a code, and with a message that says what was wrong. */
export async function refused(
  call: Promise<unknown>,
  code: ShortCode,
  message: RegExp = /./,
): Promise<void> {
  await expect(call).rejects.toMatchObject({
    name: 'SessionQueryError',
    code: `SESSION_QUERY_${code}`,
    message: expect.stringMatching(message),
  })
}

export type ShortCode = SessionQueryErrorCode extends `SESSION_QUERY_${infer Short}` ? Short : never

/** Removes all sessions, open ones and stored ones. */
async function clear(corpus: SessionCorpus): Promise<void> {
  for (const session of corpus.sessions.list()) await session.close()
  const records = await corpus.listSessions()
  await Promise.all(records.map(({ header: { id } }) => corpus.deleteSession({ sessionId: id })))
}

function reasons(exceptions: readonly Exception[]): {
  readonly take: (name: string) => string | undefined
  readonly rest: Set<string>
} {
  const byCase = new Map(
    exceptions.flatMap(({ reason, cases }) => cases.map((name) => [name, reason] as const)),
  )
  const rest = new Set(byCase.keys())
  return {
    take(name) {
      rest.delete(name)
      return byCase.get(name)
    },
    rest,
  }
}
