import { pino } from 'pino'
import { buildGateway } from './build-gateway.ts'
import type { Config } from './config.ts'
import { listen } from './listen.ts'

/** A gateway that serves. */
export interface RunningGateway {
  readonly legacyUrl: string
  readonly adminUrl: string
  /** Answers what is under way and stops. */
  stop(): Promise<void>
}

/**
 * Configuration → build → listen. What was opened is closed again when a later step fails.
 * @throws ListenError, MappingError, or what the sandbox cannot start for.
 */
export async function startGateway(config: Config): Promise<RunningGateway> {
  const log = pino({ level: config.logLevel })
  /** What is open, in the order in which it was opened. */
  const open: { close(): Promise<void> }[] = []
  const closeAll = async (): Promise<void> => {
    for (const part of open.reverse()) await part.close()
  }
  try {
    const sandbox = config.v1BaseUrl === undefined ? await embeddedSandbox(config) : undefined
    if (sandbox !== undefined) open.push(sandbox)
    const gateway = buildGateway(config, config.v1BaseUrl ?? new URL(sandbox?.v1Url ?? ''), log)
    open.push(gateway)
    const admin = await listen(gateway.admin, config.adminHost, config.adminPort, 'ADMIN_HOST, ADMIN_PORT')
    open.push({ close: () => admin.close(config.shutdownGraceMs) })
    const legacy = await listen(gateway.legacy, config.host, config.port, 'HOST, PORT')
    open.push({ close: () => legacy.close(config.shutdownGraceMs) })
    log.info(
      {
        legacy: legacy.url,
        admin: admin.url,
        v1: sandbox?.v1Url ?? config.v1BaseUrl?.href,
        sandbox: sandbox !== undefined,
      },
      'serving',
    )
    return {
      legacyUrl: legacy.url,
      adminUrl: admin.url,
      async stop() {
        gateway.goDown()
        log.info('stopping')
        await closeAll()
        log.info('stopped')
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Loaded only when it is wanted: where there is a real v1, nothing of the sandbox is in the process. */
async function embeddedSandbox({ sandboxV1Port, sandboxDb }: Config) {
  const { startSandbox } = await import('./sandbox/start-sandbox.ts')
  return startSandbox({ host: '127.0.0.1', v1Port: sandboxV1Port, db: sandboxDb })
}
