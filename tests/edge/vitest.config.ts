import { cloudflareTest } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

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
      },
    }),
  ],
  test: {
    name: 'edge',
    include: ['tests/edge/**/*.test.ts'],
    testTimeout: 60_000,
  },
})
