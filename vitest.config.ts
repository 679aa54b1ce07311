import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What stands around the gateway: proxies, databases that fail, kills, full disks, clocks, limits, toolchains, browsers. */
const SURROUNDINGS = 'test/real/**/*.test.ts'
/** Files of the surroundings that measure the memory of their process. */
const ALONE = 'test/real/alone/*.test.ts'
/** Random runs: short with the behaviours, at full length with the surroundings. */
const RANDOM = 'test/**/*.random.test.ts'
const setupFiles = ['test/support/close-after-file.ts']

// With this cache, threads and processes that tests start load the code in a third of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url))

export default defineConfig({
  test: {
    // On a busy machine, starting a process takes seconds. This limit only ends tests that hang: a test that must be quick has its own limit.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/support/repeated-tests.ts'],
    // Many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Files share a worker and its modules, which saves loading the code for each file. A file must leave nothing behind for the next.
      {
        extends: true,
        test: {
          ...{ name: 'behaviour', include: ['test/**/*.test.ts'], exclude: [SURROUNDINGS], isolate: false, setupFiles },
          globalSetup: ['test/support/start-shared-postgres.ts'],
          provide: { hasFullLength: false },
        },
      },
      {
        extends: true,
        test: {
          ...{ name: 'surroundings', include: [SURROUNDINGS, RANDOM], exclude: [ALONE], isolate: false, setupFiles },
          globalSetup: ['test/support/start-shared-postgres.ts'],
          provide: { hasFullLength: true },
        },
      },
      { extends: true, test: { name: 'alone', include: [ALONE], setupFiles } },
    ],
  },
})
