import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const dist = new URL('../../dist/', import.meta.url)

function built(name: string): string {
  return readFileSync(new URL(name, dist), 'utf8')
}

/** A built entry with the chunks that it imports. */
function withImports(name: string, seen = new Set<string>()): string {
  if (seen.has(name)) return ''
  seen.add(name)
  const code = built(name)
  const imports = [...code.matchAll(/from\s*["'](\.[^"']+)["']/g)].map(([, path]) => path ?? '')
  const inner = imports.map((path) => {
    const url = new URL(path, new URL(name, dist))
    return withImports(url.href.slice(dist.href.length), seen)
  })
  return [code, ...inner].join('\n')
}

/** What of it reaches a user: minified and compressed. */
async function kilobytes(entry: string): Promise<number> {
  const bundle = await rolldown({
    input: new URL(entry, dist).pathname,
    platform: 'browser',
    external: ['cloudflare:workers'],
  })
  const { output } = await bundle.generate({ minify: true, codeSplitting: false })
  return gzipSync(output[0].code).length / 1000
}

describe('the built files', () => {
  it('keep the expressions that bundlers look for', () => {
    expect(built('index.js')).toContain(
      'new Worker(new URL("./worker.js", import.meta.url), { type: "module" })',
    )
    expect(built('worker.js').match(/new URL\("\.\/[^"]+",import\.meta\.url\)/g)).toEqual([
      'new URL("./sqlite3.wasm",import.meta.url)',
    ])
    expect(existsSync(new URL('sqlite3.wasm', dist))).toBe(true)
  })

  it('are self-contained: the worker imports nothing, the page only its own chunks', () => {
    expect(built('worker.js')).not.toMatch(/^import\b|\bimport\(/m)
    for (const entry of ['index.js', 'ingest.js', 'tools.js', 'edge.js']) {
      expect(withImports(entry)).not.toMatch(/^(?:import|export)[^;\n]*\bfrom ["'](?!\.)/m)
    }
  })

  // The signs of a library in code: what SQLite, zod and Comlink cannot do without.
  it.each([
    ['index.js', [/sqlite3_/, /_zod/]],
    ['ingest.js', [/sqlite3_/, /comlink/i]],
    ['in-process.js', [/comlink/i, /_zod/]],
    ['worker.js', [/_zod/]],
    ['tools.js', [/sqlite3_/, /comlink/i, /fts5/i]],
    ['edge.js', [/sqlite3_/, /comlink/i, /_zod/, /\b(?:navigator|localStorage|postMessage)\b/]],
  ])('%s brings in nothing that it has no use for', (entry, signs) => {
    for (const sign of signs) expect(withImports(entry)).not.toMatch(sign)
  })

  // Above what they take today; a library that slips in shows.
  it.each([
    ['index.js', 21],
    ['ingest.js', 24],
    ['tools.js', 18],
    ['worker.js', 108],
    ['edge.js', 53],
  ])('%s stays below %i kB, minified and compressed', async (entry, ceiling) => {
    expect(await kilobytes(entry)).toBeLessThan(ceiling)
  })

  it('are what package.json says', async () => {
    const { messages } = await publint({
      pkgDir: new URL('../..', import.meta.url).pathname,
      strict: true,
    })
    // The exports of the wasm module look like CommonJS to publint.
    expect(messages.filter(({ path }) => path[1] !== './worker')).toEqual([])
  })
})
