/** A terminal signals the whole group, and what started this passes its signal on: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** Aborts on SIGINT or SIGTERM; a later second signal exits at once. `exitCode`: what a shell makes of the signal, once it came. */
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
