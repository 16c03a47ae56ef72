import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserLaunch } from './scripts/browser-launch.ts'
import { hasFixtures, recordedLogs } from './tests/fixtures/recorded.ts'

/** Tests. The library is built by rolldown.config.ts, the demo has a configuration of its own. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/{core,node,contract,live,ingest,package,demo}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        optimizeDeps: { include: ['comlink'] },
        worker: { format: 'es' },
        server: { host: '127.0.0.1' },
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
          provide: { fixtures: hasFixtures },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { recordedLogs },
            provider: playwright({
              launchOptions: browserLaunch(),
              persistentContext: '.cache/browser',
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
