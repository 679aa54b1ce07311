import type { Reporter, TestModule } from 'vitest/node'

/** Names the tests that passed only when they were repeated, at the end of a run. */
export default class RepeatedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const repeated = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    )
    if (repeated.length > 0) console.log(['Repeated because they failed at first:', ...repeated, ''].join('\n'))
  }
}
