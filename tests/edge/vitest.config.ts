import { join } from 'node:path'
import { cloudflareTest } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'
import { conformanceFiles, hasConformanceCases } from '../fixtures/conformance.ts'

const fixtures = process.env['SESSION_QUERY_FIXTURES'] ?? ''

/** Tests in workerd, the runtime of Cloudflare Workers. */
export default defineConfig({
  plugins: [
    cloudflareTest({
      main: './tests/edge/worker.ts',
      miniflare: {
        compatibilityDate: '2026-04-01',
        durableObjects: {
          OBJECTS: { className: 'TestObject', useSQLite: true },
          CORPORA: { className: 'CorpusObject', useSQLite: true },
        },
        serviceBindings: { FIXTURES: () => Response.json(conformanceFiles()) as never },
      },
    }),
  ],
  resolve: {
    alias: {
      'conformance-check': hasConformanceCases
        ? join(fixtures, 'conformance', 'check.mjs')
        : join(import.meta.dirname, 'no-cases.ts'),
    },
  },
  test: {
    name: 'edge',
    include: ['tests/edge/**/*.test.ts'],
    testTimeout: 60_000,
    provide: { conformance: hasConformanceCases },
  },
})
