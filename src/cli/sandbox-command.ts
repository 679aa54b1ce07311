import { readFile } from 'node:fs/promises'
import { readSandboxConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { startConfiguredSandbox } from '../app/configured-sandbox.ts'
import { reasonOf } from '../common/reason-of.ts'
import { StartError } from '../data-plane/http/listen.ts'
import { OptionsError, orSayWhy } from './printing.ts'
import { stopOnSignals } from './signals.ts'

/**
 * `legacy-gateway sandbox`: runs only the sandbox, with both interfaces, until SIGTERM or SIGINT. With `--deviate`, they deviate from the
 * contract.
 */
export const sandbox = ({ deviate }: { readonly deviate?: string }): Promise<number> =>
  orSayWhy(1, [ConfigError, StartError], async () => {
    const config = readSandboxConfig()
    const file = deviate === undefined ? undefined : await readDeviationFile(deviate)
    const running = await startConfiguredSandbox(config, config.host, file).catch((error: unknown) => {
      const isMistaken = error instanceof Error && error.name === 'DeviationsError'
      throw isMistaken ? new OptionsError(`--deviate ${deviate}:\n${error.message}`, { cause: error }) : error
    })
    console.log(`v1:     ${running.v1Url} (described at ${running.v1Url}/openapi.json)`)
    console.log(`legacy: ${running.legacyUrl}`)
    console.log('Account: client id demo-client, secret demo-secret.')
    if (deviate !== undefined) console.log(`Deviates from the contract; corrected by MAPPING_FILE=${deviate}`)
    stopOnSignals(() => running.close())
    return 0
  })

/** @throws OptionsError */
async function readDeviationFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new OptionsError(`--deviate: cannot read ${path}: ${reasonOf(error)}`, { cause: error })
  })
}
