import { readConfig } from '../config.ts'
import { startGateway } from '../main.ts'
import { orSayWhy } from './or-say-why.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** `legacy-gateway serve`: runs until SIGTERM or SIGINT; exit 0. What cannot start says why on stderr; exit 1. */
export const serve = (): Promise<void> =>
  orSayWhy(async () => {
    const gateway = await startGateway(readConfig())
    stopOnSignals(() => gateway.stop())
  })
