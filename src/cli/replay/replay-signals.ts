/** A second signal within this time is the same one: a terminal signals the whole group, and npm passes it on. */
const SAME_SIGNAL_MS = 1_000

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * Aborts on SIGINT or SIGTERM. A later second signal ends the process at once. `exitCode` returns a shell's exit code for
 * the signal; undefined if none came.
 */
export function abortOnSignals(): { readonly signal: AbortSignal; exitCode(): number | undefined } {
  const controller = new AbortController()
  let exitCode: number | undefined
  let firstAt = 0
  const onSignal = (name: 'SIGINT' | 'SIGTERM'): void => {
    if (exitCode === undefined) {
      exitCode = EXIT_CODES[name]
      firstAt = performance.now()
      controller.abort()
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT_CODES[name])
  }
  process.on('SIGINT', () => onSignal('SIGINT')).on('SIGTERM', () => onSignal('SIGTERM'))
  return { signal: controller.signal, exitCode: () => exitCode }
}
