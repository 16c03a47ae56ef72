import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import type { Rank } from '../../src/core/corpus.ts'
import { assistantMessage, session, toolResult, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'
import { titled } from './logs.ts'

/** In which order hits come. */
export function searchOrderCases(contract: Contract): void {
  contract.topic('search order', () => {
    contract.case('a short message beats a log that repeats the word', async (corpus) => {
      await corpus.putSession(session('log', [toolResult('deadlock '.repeat(5000))]))
      await corpus.putSession(session('said', [userMessage('The deadlock is in the pool')]))
      expect(await sessionIds(corpus, 'deadlock')).toEqual(['said', 'log'])
      expect(await sessionIds(corpus, 'deadlock', 'occurrences')).toEqual(['log', 'said'])
    })

    contract.case('what was written does not drown under tool output', async (corpus) => {
      const output = Array.from({ length: 60 }, (_, at) =>
        toolResult(`migration step ${at}: migration ok, migration next`),
      )
      await corpus.putSession(
        session('s', [
          ...output,
          assistantMessage('The migration is stuck on the users table'),
          ...output,
        ]),
      )
      const { items } = await corpus.searchEvents({ query: 'migration', limit: 5 })
      expect(items[0]?.seq).toBe(60)
    })

    contract.case('a session in which it was written does not drown either', async (corpus) => {
      const output = Array.from({ length: 60 }, (_, at) =>
        toolResult(`migration step ${at}: migration ok, migration next`),
      )
      await corpus.putSession(session('noise', output))
      await corpus.putSession(session('said', [userMessage('The migration is stuck on users')]))
      const { items } = await corpus.searchEvents({ query: 'migration', limit: 5 })
      expect(items[0]?.sessionId).toBe('said')
      expect(await sessionIds(corpus, 'migration')).toEqual(['said', 'noise'])
    })

    contract.case('a match in the title counts', async (corpus) => {
      const text = 'we talked about the invoices of last year'
      await corpus.putSession(session('plain', [userMessage(text, { time: 9000 })]))
      await corpus.putSession(session('titled', [userMessage(text), titled('Invoices')]))
      expect(await sessionIds(corpus, 'invoices')).toEqual(['titled', 'plain'])
    })

    contract.case('of equals, the newer is first', async (corpus) => {
      const said = 'exactly the same'
      await corpus.putSession(session('old', [userMessage(said, { time: 1 })]))
      await corpus.putSession(session('new', [userMessage(said, { time: 3 })]))
      await corpus.putSession(session('mid', [userMessage(said, { time: 2 })]))
      for (const rank of ['relevance', 'occurrences', 'recent'] as const) {
        expect(await sessionIds(corpus, 'exactly', rank)).toEqual(['new', 'mid', 'old'])
      }
    })

    contract.case('of equals within a session, the newer is first', async (corpus) => {
      const times = [3, 1, 5, 2, 4]
      await corpus.putSession(
        session(
          's',
          times.map((time) => userMessage('exactly the same', { time })),
        ),
      )
      for (const rank of ['relevance', 'occurrences', 'recent'] as const) {
        const { items } = await corpus.searchEvents({ query: 'exactly', rank })
        expect(items.map(({ time }) => time)).toEqual([5, 4, 3, 2, 1])
      }
    })

    contract.case('by phrase, all words, some words', async (corpus) => {
      await corpus.putSession(session('some', [userMessage('parser parser parser', { time: 9 })]))
      await corpus.putSession(session('all', [userMessage('the tokens of the parser', { time: 8 })]))
      await corpus.putSession(session('phrase', [userMessage('a long text with parser tokens in it')]))
      const { items } = await corpus.searchSessions({ query: 'parser tokens' })
      expect(items.map(({ header, bestMatch }) => [header.id, bestMatch.matched])).toEqual([
        ['phrase', 'phrase'],
        ['all', 'all'],
        ['some', 'some'],
      ])
    })

    contract.case('very common words do not decide where rarer ones are there', async (corpus) => {
      await corpus.putSession(
        session('talk', [
          userMessage('what is the matter with the thing'),
          userMessage('the webhook is signed'),
        ]),
      )
      const { items } = await corpus.searchEvents({ query: 'where is the webhook' })
      expect(items.map(({ seq }) => seq)).toEqual([1])
      expect((await corpus.searchEvents({ query: 'the' })).items).toHaveLength(2)
    })

    const counted: readonly (readonly [query: string, more: string, fewer: string])[] = [
      ['哈哈', '哈哈 x 哈哈 and more of it', '哈哈哈哈'],
      ['deploying', 'deploy deploy and more of it', 'deploying'],
      ['foldSurface', 'fold surface, fold surface, and more', 'foldSurface'],
    ]
    for (const [query, more, fewer] of counted) {
      contract.case(`${query} occurs more often in ${more}`, async (corpus) => {
        await corpus.putSession(session('s', [userMessage(fewer), userMessage(more)]))
        const { items } = await corpus.searchEvents({ query, rank: 'occurrences' })
        expect(items.map(({ seq }) => seq)).toEqual([1, 0])
      })
    }

    contract.case('the more occurrences, then the shorter text', async (corpus) => {
      await corpus.putSession(
        session('s', [
          userMessage('word and much more around it'),
          userMessage('word word'),
          userMessage('word here'),
        ]),
      )
      const { items } = await corpus.searchEvents({ query: 'word', rank: 'occurrences' })
      expect(items.map(({ seq }) => seq)).toEqual([1, 2, 0])
    })
  })
}

async function sessionIds(corpus: SessionCorpus, query: string, rank?: Rank): Promise<string[]> {
  const { items } = await corpus.searchSessions({ query, rank })
  return items.map(({ header }) => header.id)
}
