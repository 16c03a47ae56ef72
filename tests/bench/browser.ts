import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { session, userMessage } from '../fixtures/logs.ts'
import { inBrowser, servePage } from '../fixtures/pages.ts'
import { recordedLogPaths } from '../fixtures/recorded.ts'
import type { ImportFigures } from './figures.ts'

const rounds = 5

/**
 * Imports session logs into OPFS in Chromium, several times, and prints how fast that is and how long
 * the page was ever busy. The logs are those of SESSION_QUERY_FIXTURES, or made up where there are none.
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
    await page.close()
    print(figures)
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
