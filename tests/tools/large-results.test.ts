import { beforeAll, describe, expect, test } from 'vitest'
import type { SessionTool } from '../../src/tools/tool.ts'
import { createSessionTools } from '../../src/tools/session-tools.ts'
import { memorySpillStore } from '../../src/tools/spill-store.ts'
import { withSpill } from '../../src/tools/spill.ts'
import { openMemoryCorpus } from '../../worker/in-process.ts'
import { session, userMessage } from '../fixtures/logs.ts'
import { callerOf, cwd } from './workspace.ts'

const maxInlineBytes = 32_768
const megabyte = 1_000_000

/** Lines in scripts of one to four bytes, of which some are alike where there are more than `different`. */
function long(bytes: number, seed: number, different: number): string {
  const pieces: string[] = [`needle ${seed}`]
  let size = 0
  for (let at = 0; size < bytes; at += 1) {
    const piece = ` Zeile ${seed}-${at % different}: "gemessen" \`\`\` 今天的预算 😀\n`
    pieces.push(piece)
    size += Buffer.byteLength(piece)
  }
  return pieces.join('')
}

const huge = long(5 * megabyte, 5, Infinity)
let tools: readonly SessionTool[]
let whole: readonly SessionTool[]

beforeAll(async () => {
  const corpus = await openMemoryCorpus()
  for (let at = 0; at < 100; at += 1) {
    await corpus.putSession(session(`s${at}`, [userMessage(long(megabyte, at, 100))], { cwd }))
  }
  await corpus.putSession(session('huge', [userMessage(huge)], { cwd }))
  whole = createSessionTools(corpus, { caller: callerOf() })
  tools = withSpill(whole, { store: memorySpillStore(), maxInlineBytes })
  return () => corpus.close()
}, 120_000)

function called(of: readonly SessionTool[], name: string, args: unknown): Promise<string> {
  const tool = of.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`there is no ${name}`)
  return tool.execute(args)
}

async function answer(name: string, args: unknown): Promise<string> {
  const text = await called(tools, name, args)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxInlineBytes)
  return text
}

/** The next call that an answer names, made just as it stands. */
async function followed(text: string): Promise<string | undefined> {
  const [, name = '', args = ''] = /(spill_read) (\{"locator":"[^"]+","offset":\d+\})/.exec(text) ?? []
  return name === '' ? undefined : await answer(name, args)
}

/** What stands between the first line of ours and the next one. */
function content(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && /^\[spill \w+: /.test(line))
  return lines.slice(1, end).join('\n')
}

/** A text put together again from a shortened answer, by nothing but the calls that the answers name. */
async function readWhole(first: string): Promise<string> {
  const parts: string[] = []
  for (let text: string | undefined = first; text !== undefined; text = await followed(text)) {
    parts.push(content(text))
  }
  return parts.join('')
}

describe('every answer is within the limit, and the rest can be had', () => {
  test('100 hits over events of a megabyte', async () => {
    const args = { query: 'needle' }
    const text = await answer('session_search', args)
    const original = await called(whole, 'session_search', args)
    expect(original).toContain('The best 100 sessions; more match.')
    expect(Buffer.byteLength(original)).toBeGreaterThan(maxInlineBytes)
    expect(text).toContain(`of a text of ${Buffer.byteLength(original).toLocaleString('en-US')} bytes`)
    expect(text).toMatch(/[\d,]+ bytes are left out/)
    expect(await readWhole(text)).toBe(original)
  })

  test('an event of five megabytes', async () => {
    const args = { session_id: 'huge', seq: 0 }
    const text = await answer('session_event_read', args)
    const original = await called(whole, 'session_event_read', args)
    const again = await readWhole(text)
    expect(again).toBe(original)
    const json = again.split('\n').find((line) => line.startsWith('{')) ?? ''
    const event = JSON.parse(json) as { data: { content: { text: string }[] } }
    expect(event.data.content[0]?.text).toBe(huge)
  })

  test('what was left out can be looked for', async () => {
    const text = await answer('session_event_read', { session_id: 'huge', seq: 0 })
    const [, locator] = /"locator":"([^"]+)"/.exec(text) ?? []
    const found = await answer('spill_read', { locator, find: 'Zeile 5-40000:' })
    const [, offset] = /^offset (\d+): /m.exec(found) ?? []
    expect(await answer('spill_read', { locator, offset })).toContain('Zeile 5-40000:')
  })
})
