import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { defineConfig, type Plugin } from 'rolldown'

const sqliteWasm = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')

/**
 * Cuts from the wasm build what the worker never uses and what would drag further files in: the promiser,
 * which is a worker around a worker, and the helper of the VFS that needs cross-origin isolation. The
 * URL of the wasm file stays a literal that every bundler knows.
 */
const sqliteForWorker: Plugin = {
  name: 'sqlite-for-worker',
  transform(code, id) {
    if (!/sqlite-wasm[\\/]dist[\\/]index\.mjs$/.test(id)) return undefined
    const promiser = code.indexOf('//#region src/bin/sqlite3-worker1-promiser.mjs')
    if (promiser === -1) throw new Error('The layout of sqlite-wasm has changed: no promiser region.')
    const kept = `${code.slice(0, promiser)}\nexport default sqlite3_bundler_friendly_default\n`
    return {
      code: replaced(
        replaced(kept, 'new URL("sqlite3-opfs-async-proxy.js", import.meta.url)', 'undefined'),
        'new URL("sqlite3.wasm", import.meta.url)',
        'new URL("./sqlite3.wasm", import.meta.url)',
      ),
      map: null,
    }
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      // The minifier writes strings as templates, which not every bundler reads as a URL.
      if (file.type === 'chunk')
        file.code = replaced(file.code, 'new URL(`./sqlite3.wasm`', 'new URL("./sqlite3.wasm"')
    }
  },
  writeBundle({ dir }) {
    copyFileSync(sqliteWasm, `${dir}/sqlite3.wasm`)
  },
}

/** What is bundled, whose licences ask to be passed on. */
const bundled = ['@sqlite.org/sqlite-wasm', 'comlink', 'fzstd', 'zod']

const notices: Plugin = {
  name: 'notices',
  writeBundle({ dir }) {
    const texts = bundled.map((name) => {
      const folder = new URL(`node_modules/${name}/`, import.meta.url)
      const { version, license } = JSON.parse(
        readFileSync(new URL('package.json', folder), 'utf8'),
      ) as Record<string, string>
      const file = new URL('LICENSE', folder)
      const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
      return `${name} ${version} (${license})\n\n${text}`.trim()
    })
    writeFileSync(`${dir}/THIRD-PARTY-NOTICES.txt`, `${texts.join('\n\n\n')}\n`)
  },
}

/** What the page imports shares its pieces, so that there is one `SessionQueryError`. */
const page = defineConfig({
  input: {
    index: 'src/index.ts',
    'in-process': 'worker/in-process.ts',
    ingest: 'src/ingest/index.ts',
    tools: 'src/tools/index.ts',
    edge: 'src/edge/index.ts',
  },
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  external: ['@sqlite.org/sqlite-wasm', 'cloudflare:workers'],
  plugins: [notices],
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    cleanDir: false,
  },
})

/** The worker is one file, so that it can be served from anywhere. */
const worker = defineConfig({
  input: { worker: 'worker/main.ts' },
  platform: 'browser',
  plugins: [sqliteForWorker],
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    codeSplitting: false,
    minify: true,
  },
})

export default [page, worker]

function replaced(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The layout of sqlite-wasm has changed: no ${from}.`)
  return code.replace(from, to)
}
