/** A second signal within this time is the same one: a terminal signals the whole group, and npm passes it on. */
const SAME_SIGNAL_MS = 1_000

/** Stops on SIGTERM or SIGINT, and exits with 0. A later second signal ends the process at once. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      void stop().then(() => process.exit(0))
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}
