import { readConfig } from '../../src/app/config.ts'
import { type RunningGateway, startGateway } from '../../src/app/start-gateway.ts'
import { closeAtEnd } from './clean-up.ts'

const PORTS = { PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }
/** Nobody waits for balancers at the end. */
const AT_ONCE = { DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '100' }

/** Starts in this process what `serve` starts with these variables, on free ports of loopback, until the file's tests have run. */
export async function startConfigured(env: Readonly<Record<string, string>>): Promise<RunningGateway> {
  const gateway = await startGateway(
    readConfig({ HOST: '127.0.0.1', ...PORTS, ...AT_ONCE, LOG_LEVEL: 'silent', ...env }),
  )
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= gateway.stop())
  closeAtEnd(stop)
  return { ...gateway, stop }
}
