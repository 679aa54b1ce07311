/** A second signal within this time is the same one: a terminal signals the whole group, and npm passes it on. */
const SAME_SIGNAL_MS = 1_000

/** A shell's exit codes for the signals that end a process. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

type Signal = keyof typeof EXIT_CODES

/** Calls `onFirst` on SIGINT or SIGTERM. A later second signal ends the process at once. */
function onSignals(onFirst: (signal: Signal) => void): void {
  let firstAt: number | undefined
  const onSignal = (signal: Signal): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      onFirst(signal)
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT_CODES[signal])
  }
  process.on('SIGINT', () => onSignal('SIGINT')).on('SIGTERM', () => onSignal('SIGTERM'))
}

/** Stops on a signal, and exits with 0. */
export const stopOnSignals = (stop: () => Promise<void>): void =>
  onSignals(() => {
    void stop().then(() => process.exit(0))
  })

/** Aborts on a signal. `exitCode` returns a shell's exit code for it; undefined if none came. */
export function abortOnSignals(): { readonly signal: AbortSignal; exitCode(): number | undefined } {
  const controller = new AbortController()
  let exitCode: number | undefined
  onSignals((signal) => {
    exitCode = EXIT_CODES[signal]
    controller.abort()
  })
  return { signal: controller.signal, exitCode: () => exitCode }
}
