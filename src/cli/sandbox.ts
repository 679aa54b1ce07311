import { readSandboxConfig } from '../app/command-config.ts'
import { startConfiguredSandbox } from '../app/start-sandbox.ts'
import { orSayWhy } from './or-say-why.ts'
import { stopOnSignals } from './stop-on-signals.ts'

/** `legacy-gateway sandbox`: runs only the sandbox, with both interfaces, until SIGTERM or SIGINT. */
export const sandbox = (): Promise<void> =>
  orSayWhy(async () => {
    const config = readSandboxConfig()
    const running = await startConfiguredSandbox(config, config.host)
    console.log(`v1:     ${running.v1Url} (described at ${running.v1Url}/openapi.json)`)
    console.log(`legacy: ${running.legacyUrl}`)
    console.log('Account: client id demo-client, secret demo-secret.')
    stopOnSignals(() => running.close())
  })
