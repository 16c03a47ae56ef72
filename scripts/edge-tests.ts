import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-pool-workers'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { conformanceFiles, hasConformanceCases } from '../tests/fixtures/conformance.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformance: boolean
  }
}

// What the tools would ask of the network is none of the tests' business.
Object.assign(process.env, { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' })

/** The tests in workerd, the runtime of Cloudflare Workers. */
export function edgeTests(): TestProjectInlineConfiguration {
  const cases = process.env['SESSION_QUERY_FIXTURES'] ?? ''
  return {
    plugins: [
      cloudflareTest({
        main: './tests/edge/worker.ts',
        miniflare: {
          compatibilityDate: '2026-04-01',
          durableObjects: {
            OBJECTS: { className: 'TestObject', useSQLite: true },
            CORPORA: { className: 'CorpusObject', useSQLite: true },
          },
          // There is no file system.
          serviceBindings: { FIXTURES: () => Response.json(conformanceFiles()) as never },
        },
      }),
    ],
    resolve: {
      alias: hasConformanceCases
        ? [{ find: './case-runner.ts', replacement: join(cases, 'conformance', 'check.mjs') }]
        : [],
    },
    test: {
      name: 'edge',
      include: ['tests/edge/**/*.test.ts'],
      testTimeout: 60_000,
      provide: { conformance: hasConformanceCases },
    },
  }
}
