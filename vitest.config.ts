import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // On a busy machine starting a process takes seconds. No test means this limit: what must be quick says so itself.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
