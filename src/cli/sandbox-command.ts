import { readSandboxConfig } from '../app/command-config.ts'
import { ConfigError } from '../app/config.ts'
import { startConfiguredSandbox } from '../app/configured-sandbox.ts'
import { StartError } from '../data-plane/http/listen.ts'
import { orSayWhy } from './printing.ts'
import { stopOnSignals } from './signals.ts'

/** `legacy-gateway sandbox`: runs only the sandbox, with both interfaces, until SIGTERM or SIGINT. */
export const sandbox = (): Promise<number> =>
  orSayWhy(1, [ConfigError, StartError], async () => {
    const config = readSandboxConfig()
    const running = await startConfiguredSandbox(config, config.host)
    console.log(`v1:     ${running.v1Url} (described at ${running.v1Url}/openapi.json)`)
    console.log(`legacy: ${running.legacyUrl}`)
    console.log('Account: client id demo-client, secret demo-secret.')
    stopOnSignals(() => running.close())
    return 0
  })
