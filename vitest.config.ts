import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** These files measure the memory of their process. */
const ALONE = ['test/compare/read-recording-lines.test.ts', 'test/gateway/huge-answers.test.ts']
const setupFiles = ['test/support/close-after-file.ts']

// With this cache, threads and processes that tests start load the code in a third of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url))

export default defineConfig({
  test: {
    // On a busy machine, starting a process takes seconds. This limit only ends tests that hang: a test that must be quick has its own limit.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    // Many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Files share a worker and its modules, which saves loading the code for each file. A file must leave nothing behind for the next.
      {
        extends: true,
        test: { name: 'sharing', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false, setupFiles },
      },
      { extends: true, test: { name: 'alone', include: ALONE, setupFiles } },
    ],
  },
})
