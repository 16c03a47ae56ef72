import { realpathSync } from 'node:fs'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserLaunch } from './scripts/browser-launch.ts'
import { conformanceFiles, hasConformanceCases } from './tests/fixtures/conformance.ts'
import { hasFixtures, recordedLogs } from './tests/fixtures/recorded.ts'

/** Tests. The library is built by rolldown.config.ts, the demo has a configuration of its own. */
export default defineConfig(async ({ mode }) => ({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'tests/{core,node,contract,edge-file,edge-demo,live,ingest,tools,package,demo}/**/*.test.ts',
          ],
          testTimeout: 60_000,
          // A page that is under load takes its time.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: 'faults',
          environment: 'node',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 60_000,
          // After the others: it measures how long a page takes to work again.
          sequence: { groupOrder: 1 },
          // A few in every run of the tests, many in one of their own.
          provide: mode === 'faults' ? { kills: 50, reloads: 20 } : { kills: 6, reloads: 4 },
        },
      },
      // In a runtime of their own.
      ...(mode === 'edge' ? [(await import('./scripts/edge-tests.ts')).edgeTests()] : []),
      // Browsers that not everybody has: in a run of their own.
      ...(mode === 'browsers'
        ? [
            {
              test: {
                name: 'browsers',
                environment: 'node',
                include: ['tests/browsers/**/*.test.ts'],
                testTimeout: 60_000,
              },
            },
          ]
        : []),
      {
        optimizeDeps: {
          include: ['comlink', 'zod/mini', 'zod/v4/core', '@mcp-b/webmcp-polyfill'],
          exclude: ['@sqlite.org/sqlite-wasm'],
        },
        worker: { format: 'es' as const },
        // The link itself is followed: node_modules of a git worktree is often one.
        server: { host: '127.0.0.1', fs: { allow: ['.', realpathSync('node_modules')] } },
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
          provide: { fixtures: hasFixtures, conformance: hasConformanceCases },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { recordedLogs, conformanceFiles },
            provider: playwright({
              launchOptions: browserLaunch(),
              persistentContext: '.cache/browser',
            }),
            instances: [{ browser: 'chromium' as const }],
          },
        },
      },
    ],
  },
}))
