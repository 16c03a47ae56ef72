import { expect } from 'vitest'
import type { SessionCorpus } from '../../src/core/corpus.ts'
import { session, toolResult, userMessage } from '../fixtures/logs.ts'
import type { Contract } from './contract.ts'

/** What a query finds, in both searches, and what the excerpt marks. */
export function searchFindCases(contract: Contract): void {
  contract.topic('search finds', () => {
    for (const [query, text, marked] of found) {
      contract.case(`${JSON.stringify(query)} in ${JSON.stringify(text)}`, async (corpus) => {
        await corpus.putSession(session('other', [userMessage('Something else altogether')]))
        await corpus.putSession(session('s', [{}, userMessage(text)]))
        expect(await hits(corpus, query)).toEqual([
          { sessionId: 's', seq: 1, marked },
          { sessionId: 's', seq: 1, marked },
        ])
      })

      contract.case(`${JSON.stringify(query)} in a session that is open`, async (corpus) => {
        await using live = await corpus.sessions.create({ id: 'l' }, { persist: false })
        const { type = '', data = null } = userMessage(text)
        live.append(type, data, { surfaceOp: 'append' })
        expect(await hits(corpus, query)).toEqual([
          { sessionId: 'l', seq: 0, marked },
          { sessionId: 'l', seq: 0, marked },
        ])
      })
    }

    contract.case('a question without spaces by what is likely to be a word in it', async (corpus) => {
      await corpus.putSession(
        session('zh', [userMessage('预算已经过了：审批会议昨天开完，结论是先做移行')]),
      )
      await corpus.putSession(session('ja', [userMessage('旅館は由布院の山側に決めました')]))
      await corpus.putSession(session('en', [userMessage('the late trips of the nightly rollup')]))
      for (const [query, id, marked] of [
        ['预算审批会议的结论是什么', 'zh', ['预算', '审批', '会议', '结论']],
        ['由布院の旅館はどこ？', 'ja', ['旅館', '由布院']],
        ['nightly-rollup-late-trips', 'en', ['late', 'trips', 'nightly', 'rollup']],
      ] as const) {
        const { items } = await corpus.searchEvents({ query })
        expect(items.map(({ sessionId }) => sessionId)).toEqual([id])
        const [{ snippet, highlights } = { snippet: '', highlights: [] }] = items
        const marks = highlights.map(([start, end]) => snippet.slice(start, end)).join(' ')
        for (const word of marked) expect(marks).toContain(word)
      }
      // Where it stands as a whole, that comes first.
      await corpus.putSession(session('whole', [userMessage('问：预算审批会议的结论是什么')]))
      const { items } = await corpus.searchEvents({ query: '预算审批会议的结论是什么' })
      expect(items.map(({ sessionId, matched }) => [sessionId, matched])).toEqual([
        ['whole', 'phrase'],
        ['zh', 'some'],
      ])
      for (const match of ['phrase', 'all', 'any'] as const) {
        expect((await corpus.searchEvents({ query: '由布院の旅館はどこ？', match })).items).toEqual([])
      }
    })

    contract.case('another form of a word, but not as a piece of a name', async (corpus) => {
      await corpus.putSession(session('name', [userMessage('call terminal_open and foldSurface')]))
      await corpus.putSession(session('prose', [userMessage('it was opened, surface by surface')]))
      for (const query of ['opens', 'surfaces']) {
        const { items } = await corpus.searchSessions({ query })
        expect(items.map(({ header }) => header.id)).toEqual(['prose'])
      }
      expect((await corpus.searchSessions({ query: 'open' })).items).toHaveLength(2)
    })

    contract.case('all words only where all of them are', async (corpus) => {
      await corpus.putSession(session('one', [userMessage('be quick'), userMessage('ok then')]))
      await corpus.putSession(session('two', [userMessage('ok, that was quick')]))
      const { items } = await corpus.searchSessions({ query: 'quick ok', match: 'all' })
      expect(items.map(({ header, bestMatch }) => [header.id, bestMatch.matched])).toEqual([
        ['two', 'all'],
      ])
      expect((await corpus.searchEvents({ query: 'quick ok', match: 'all' })).items).toHaveLength(1)
    })

    contract.case('neither data URIs nor long base64, but what stands around them', async (corpus) => {
      const picture = `data:image/png;base64,${'iVBORw0KGgo'.repeat(40)}=`
      await corpus.putSession(session('s', [userMessage(`before ${picture} after`)]))
      await corpus.putSession(session('t', [toolResult(`head ${'QUJD'.repeat(100)} tail`)]))
      for (const query of ['png', 'iVBORw0KGgo', 'QUJD', 'base64']) {
        expect(await hits(corpus, query)).toEqual([])
      }
      for (const query of ['before', 'after', 'head', 'tail']) {
        expect(await hits(corpus, query)).toHaveLength(2)
      }
    })

    contract.case('nothing, and says so, when the query has no word', async (corpus) => {
      await corpus.putSession(session('s', [userMessage('-- " ... ()')]))
      for (const query of ['--', '"', '...', '()']) {
        expect(await corpus.searchSessions({ query })).toEqual({ items: [], searchable: false })
        expect(await corpus.searchEvents({ query })).toEqual({ items: [], searchable: false })
      }
    })
  })
}

/** The query, the text that it finds, and what of the text the excerpt marks. */
const found: readonly (readonly [string, string, readonly string[]])[] = [
  ['预算', '会议纪要和预算审批', ['预算']],
  ['cache', '重跑build-cache后清零', ['cache']],
  ['修正', 'サンドボックス修正', ['修正']],
  ['サンドボックス', 'サンドボックス修正', ['サンドボックス']],
  ['학점인정'.normalize('NFC'), '학점인정'.normalize('NFD'), ['학점인정'.normalize('NFD')]],
  ['학점인정'.normalize('NFD'), '학점인정'.normalize('NFC'), ['학점인정'.normalize('NFC')]],
  ['bigquery', 'ＢｉｇＱｕｅｒｙ is slow', ['ＢｉｇＱｕｅｒｙ']],
  ['shipping', 'call getShippingMethodId()', ['Shipping']],
  ['write json', 'def atomic_write_json(path)', ['write_json']],
  ['token.ts', 'in src/auth/token.ts it says', ['token.ts']],
  ['open.ts', 'see src/worker/open.ts', ['open.ts']],
  ['surface', 'foldSurface does it', ['Surface']],
  ['query sqlite', 'session_query_sqlite', ['query_sqlite']],
  ['deployed', 'now deploying it', ['deploying']],
  ['ελληνικος', 'Ελληνικός καφές', ['Ελληνικός']],
  ['🚀', 'lift off 🚀 now', ['🚀']],
  ['src/a.ts', 'open src/a.ts first', ['src/a.ts']],
  ["don't", "no, don't do that", ["don't"]],
  ['@acme', 'npm i @acme/tools', ['acme']],
  ['#tag', 'mark it #tag please', ['tag']],
  ['a=b', 'set a=b here', ['a=b']],
  ['foo&bar', 'foo&bar it is', ['foo&bar']],
  ['x\\y', 'under x\\y it is', ['x\\y']],
  ['[x]', 'done: [x] first', ['x']],
  ['50%', 'at 50% now', ['50']],
  ['ABC-123', 'fixes ABC-123 at last', ['ABC-123']],
  ['C++', 'written in C++ once', ['C']],
  ['ada@example.org', 'write to ada@example.org please', ['ada@example.org']],
  [
    'https://example.org/a?x=1#y',
    'see https://example.org/a?x=1#y there',
    ['https://example.org/a?x=1#y'],
  ],
  ['AND', 'this AND that', ['AND']],
  ['NOT x', 'NOT x but more', ['NOT x']],
  ['NEAR(', 'it is NEAR( something', ['NEAR']],
  ['^a', 'at ^a only', ['a']],
  ['foo*', 'take foo* then', ['foo']],
]

/** What both searches find, the events of sessions first. */
async function hits(corpus: SessionCorpus, query: string): Promise<unknown[]> {
  const sessions = await corpus.searchSessions({ query })
  const events = await corpus.searchEvents({ query })
  expect([sessions.searchable, events.searchable]).toEqual([true, true])
  return [...sessions.items.map(({ bestMatch }) => bestMatch), ...events.items].map(
    ({ sessionId, seq, snippet, highlights }) => ({
      sessionId,
      seq,
      marked: highlights.map(([start, end]) => snippet.slice(start, end)),
    }),
  )
}
