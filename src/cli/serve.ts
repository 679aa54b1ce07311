import { operations } from '../../mappings/index.ts'
import { ConfigError } from '../app/config/config-error.ts'
import { type Config, readConfig } from '../app/config.ts'
import { startGateway } from '../app/main.ts'
import { rolloutParser } from '../app/rollout-parser.ts'
import { watchRollout } from '../compare/rollout/rollout-file.ts'
import { exitOnCrash } from './exit-on-crash.ts'
import { orSayWhy } from './or-say-why.ts'
import { stopOnSignals } from './stop-on-signals.ts'

interface Options {
  readonly requireTokenKey?: boolean
}

type Greeting = NonNullable<Parameters<typeof startGateway>[1]>

/**
 * `legacy-gateway serve`: runs until SIGTERM or SIGINT, and exits with 0. On a terminal, prints the addresses before
 * the log. If it cannot start, writes the reason to stderr; if it crashes, to the log. Both exit with 1.
 */
export const serve = ({ requireTokenKey = false }: Options): Promise<void> =>
  orSayWhy(async () => {
    const config = configOrEveryProblem(requireTokenKey)
    const greet: Greeting = ({ legacyUrl, adminUrl }) =>
      `Legacy interface: ${legacyUrl}${config.basePath}\nDashboard:        ${adminUrl}\n\n`
    const gateway = await startGateway(config, process.stdout.isTTY ? greet : undefined)
    exitOnCrash(gateway.log)
    stopOnSignals(() => gateway.stop())
  })

/** Reads the configuration. Reports mistakes in the rollout file together with those in the variables. */
function configOrEveryProblem(requiresTokenKey: boolean): Config {
  try {
    return readConfig(undefined, requiresTokenKey)
  } catch (error) {
    if (!(error instanceof ConfigError) || error.rolloutFile === undefined) throw error
    throw new ConfigError([...error.problems, ...problemsOfRollout(error.rolloutFile)])
  }
}

function problemsOfRollout(path: string): readonly string[] {
  try {
    watchRollout({ path, parse: rolloutParser(operations) }).close()
    return []
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => `ROLLOUT_FILE: ${line}`)
  }
}
