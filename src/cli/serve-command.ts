import { setFlagsFromString } from 'node:v8'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig } from '../app/config.ts'
import { startGateway } from '../app/start-gateway.ts'
import { StartError } from '../data-plane/http/listen.ts'
import { MappingError } from '../engine/compile/compile-operations.ts'
import { orSayWhy } from './printing.ts'
import { stopOnSignals } from './signals.ts'

interface Options {
  readonly requireTokenKey?: boolean
}

/**
 * How much bytecode V8 inlines into a function; its default is 920. The rewriter consists of many small functions: pages of 25 and 200
 * invoices take 7 and 8 % less processor time so (docs/decisions/0114).
 */
const INLINED_BYTES = 4_000

type Greeting = NonNullable<Parameters<typeof startGateway>[1]>

/**
 * `legacy-gateway serve`: runs until SIGTERM or SIGINT, and exits with 0. On a terminal, prints the addresses before
 * the log. If it cannot start, writes the reason to stderr; if it crashes, to the log. Both exit with 1.
 */
export const serve = ({ requireTokenKey = false }: Options): Promise<number> =>
  orSayWhy(1, [ConfigError, StartError, MappingError], async () => {
    setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${INLINED_BYTES}`)
    const config = await configOrEveryProblem(requireTokenKey)
    const greet: Greeting = ({ legacyUrl, adminUrl }) =>
      `Legacy interface: ${legacyUrl}${config.basePath}\nDashboard:        ${adminUrl}\n\n`
    const gateway = await startGateway(config, process.stdout.isTTY ? greet : undefined)
    exitOnCrash(gateway.log)
    stopOnSignals(() => gateway.stop())
    return 0
  })

/** Reads the configuration. Reports mistakes in the files together with those in the variables. */
async function configOrEveryProblem(requiresTokenKey: boolean): Promise<Config> {
  try {
    return readConfig(undefined, requiresTokenKey)
  } catch (error) {
    if (!(error instanceof ConfigError) || error.files === undefined) throw error
    // Loaded only now: this thread does not need it to serve.
    const { mistakesInFiles } = await import('./files-in-force.ts')
    throw new ConfigError([...error.problems, ...mistakesInFiles(error.files)])
  }
}

/**
 * Logs an uncaught exception or unhandled rejection with its stack, and exits with 1. The state of the process is
 * unknown after that, so work under way is abandoned. A supervisor is expected to restart the process.
 */
function exitOnCrash(log: Logger): void {
  process.on('uncaughtException', (err: unknown, origin) => {
    // Lines of this level are written at once, not buffered.
    log.fatal({ err, origin }, 'crashed')
    process.exit(1)
  })
}
