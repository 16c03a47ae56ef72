import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { session, userMessage } from '../fixtures/logs.ts'
import { inBrowser, servePage } from '../fixtures/pages.ts'
import { recordedLogPaths } from '../fixtures/recorded.ts'
import type { AppendFigures, ImportFigures, OpenFigures } from './figures.ts'
import { planted } from './made-up-sessions.ts'

const rounds = 5

/** The corpus that is opened: so many sessions of so many events. */
const [storedSessions, sessionLength] = [1000, 100]

/** How many events are appended one by one. */
const appends = 500

/**
 * Imports session logs into OPFS in Chromium, opens a corpus of 100,000 events, and appends one event after the other;
 * prints how fast that is and how long the page was ever busy. The logs are those of SESSION_QUERY_FIXTURES, or made
 * up where there are none.
 */
async function main(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'session-query-bench-'))
  try {
    const root = resolve(import.meta.dirname, 'page')
    const outDir = join(scratch, 'page')
    const page = await servePage({
      root,
      configFile: false,
      build: { outDir, emptyOutDir: true, target: 'es2022' },
    })
    const figures = await measure(page.url, logFiles(scratch), join(scratch, 'profile'))
    print(figures)
    await measureStored(page.url, join(scratch, 'stored'))
    await page.close()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function logFiles(scratch: string): string[] {
  const recorded = recordedLogPaths()
  console.log(
    `Logs: ${recorded.length > 0 ? `${recorded.length} recorded ones` : 'made up, as there are none recorded'}`,
  )
  if (recorded.length > 0) return recorded
  return Array.from({ length: 150 }, (_, at) => {
    const words = Array.from({ length: 40 }, (_word, place) => `word${(at * place) % 997}`).join(' ')
    const { header, events } = session(
      `made-up-${at}`,
      Array.from({ length: 100 }, () => userMessage(words)),
    )
    const path = join(scratch, `${header.id}.jsonl`)
    writeFileSync(
      path,
      [{ type: 'session', ...header }, ...events].map((line) => JSON.stringify(line)).join('\n'),
    )
    return path
  })
}

async function measure(url: string, files: string[], profile: string): Promise<ImportFigures[]> {
  const figures: ImportFigures[] = []
  await inBrowser({ url, profile }, async (page) => {
    await page.setInputFiles('input', files)
    for (let round = 0; round < rounds; round += 1) {
      figures.push(await page.evaluate<ImportFigures>(`measureImport('bench-${round}')`))
    }
  })
  return figures
}

/** Each round in a page that was loaded for it. */
async function measureStored(url: string, profile: string): Promise<void> {
  const opened: OpenFigures[] = []
  await inBrowser({ url, profile }, async (page) => {
    await page.evaluate(`fill('stored', ${storedSessions}, ${sessionLength})`)
    for (const query of [planted.rare, planted.medium, planted.common]) {
      for (let round = 0; round < rounds; round += 1) {
        await page.reload()
        opened.push(await page.evaluate<OpenFigures>(`measureOpen('stored', '${query}')`))
      }
    }
    const first = opened.map(({ firstAnswerMs }) => firstAnswerMs)
    console.log(`open ${opened[0]?.events} events to the first answer of a search: ${spread(first)}`)
    console.log(`of that to the open corpus: ${spread(opened.map(({ openMs }) => openMs))}`)
    console.log(`longest gap between turns of the page meanwhile: ${longestGap(opened)}`)
    const appended = await page.evaluate<AppendFigures>(`measureAppends('stored', ${appends})`)
    console.log(`append to durable, one by one into these: ${spread(appended.durableMs)}`)
    console.log(`longest gap between turns of the page meanwhile: ${longestGap([appended])}`)
  })
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const [least = 0, middle = 0, most = 0] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)]
  return `median ${middle.toFixed(1)} ms (${least.toFixed(1)} to ${most.toFixed(1)})`
}

function longestGap(figures: readonly { readonly longestGapMs: number }[]): string {
  return `${Math.max(...figures.map(({ longestGapMs }) => longestGapMs)).toFixed(1)} ms`
}

function print(figures: readonly ImportFigures[]): void {
  for (const { sessions, events, seconds, longTasks, longestGapMs } of figures) {
    console.log(
      [
        `${sessions} sessions, ${events} events`,
        `${Math.round(events / seconds)} events/s`,
        `${longTasks.length} main-thread tasks over 50 ms${longTasks.length > 0 ? ` (longest ${Math.round(Math.max(...longTasks))} ms)` : ''}`,
        `longest gap between turns ${longestGapMs.toFixed(1)} ms`,
      ].join(' · '),
    )
  }
  const rates = figures.map(({ events, seconds }) => events / seconds).toSorted((a, b) => a - b)
  console.log(`import into OPFS: median ${Math.round(rates[rates.length >> 1] ?? 0)} events/s`)
  console.log(`main-thread tasks over 50 ms: ${figures.flatMap(({ longTasks }) => longTasks).length}`)
}

await main()
