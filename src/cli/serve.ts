import { ConfigError, readConfig } from '../config.ts'
import { ListenError } from '../listen.ts'
import { type RunningGateway, startGateway } from '../main.ts'

/** A terminal signals the whole group, and npm passes its signal on: within this time it is the same one. */
const SAME_SIGNAL_MS = 1_000

/** `legacy-gateway serve`: runs until SIGTERM or SIGINT; exit 0. What cannot start says why on stderr; exit 1. */
export async function serve(): Promise<void> {
  try {
    stopOnSignals(await startGateway(readConfig()))
  } catch (error) {
    const isExpected = error instanceof ConfigError || error instanceof ListenError
    console.error(isExpected ? error.message : error)
    process.exitCode = 1
  }
}

function stopOnSignals(gateway: RunningGateway): void {
  let firstAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      void gateway.stop().then(() => process.exit(0))
    } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}
