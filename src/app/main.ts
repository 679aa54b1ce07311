import { type Logger, pino } from 'pino'
import { messages } from '../../mappings/index.ts'
import type { ConnectionCounts } from '../http/connections.ts'
import { listen } from '../http/listen.ts'
import { openLogLines } from '../observe/log-lines.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { type BuiltGateway, buildGateway, type Services } from './build-gateway.ts'
import type { Config } from './config.ts'
import { openFilesLimit, shareOpenFiles } from './open-files.ts'
import { startAll } from './start-all.ts'
import { startConfiguredSandbox } from './start-sandbox.ts'

/** What answered calls leave to compare and to record has at least this long when the gateway stops. */
const FLUSH_MS = 500

/** What a connection is told for which there is no room: nothing has been read that would tell its language. */
const NO_ROOM = JSON.stringify({ message: messages.tr.unexpected })

/** A gateway that serves. */
export interface RunningGateway {
  readonly legacyUrl: string
  readonly adminUrl: string
  readonly log: Logger
  /** Accepts calls for a while yet, so that balancers notice; then answers what is under way and stops. */
  stop(): Promise<void>
}

/**
 * Configuration → build → listen. What was opened is closed again when a later step fails.
 * @param greet what is written before the log, once it serves; undefined: nothing is.
 * @throws StartError, MappingError.
 */
export async function startGateway(
  config: Config,
  greet?: (urls: { readonly legacyUrl: string; readonly adminUrl: string }) => string,
): Promise<RunningGateway> {
  const lines = openLogLines({ isHeldBack: greet !== undefined })
  // What is logged last may say why the process ends.
  process.once('exit', () => lines.flushSync())
  const log = pino({ level: config.logLevel }, lines)
  /** What is open, in the order in which it was opened. */
  const open: { close(): Promise<void> }[] = []
  const closeAll = async (): Promise<void> => {
    for (const part of open.reverse()) await part.close()
  }
  try {
    if (config.sunset !== undefined && config.sunset.getTime() < Date.now()) {
      log.warn({ sunset: config.sunset }, 'SUNSET is in the past: clients are told that the legacy interface is gone')
    }
    const sandbox = config.v1BaseUrl === undefined ? await startConfiguredSandbox(config, '127.0.0.1') : undefined
    if (sandbox !== undefined) open.push(sandbox)
    const services = servicesOf(config, sandbox)
    const { keepAliveMs, maxBodyBytes } = config
    const files = shareOpenFiles(openFilesLimit(), poolsTo(services, sandbox !== undefined), config.maxConnections)
    if (files.clients.limit > files.room) {
      log.warn(
        { room: files.room },
        'MAX_CONNECTIONS is more than the limit of open files (ulimit -n) leaves for clients',
      )
    }
    const connecting = { ...config.connecting, connections: files.perPool }
    const building = buildGateway({ ...config, connecting }, services, log, { linesDropped: lines.dropped })
    const [gateway, admin, legacy] = await startAll([
      building,
      listen(whenBuilt(building, 'admin'), config.adminHost, config.adminPort, 'ADMIN_HOST, ADMIN_PORT', {
        keepAliveMs,
        connections: { ...files.admin, refusal: NO_ROOM },
      }),
      listen(whenBuilt(building, 'legacy'), config.host, config.port, 'HOST, PORT', {
        keepAliveMs,
        maxBodyBytes,
        connections: { ...files.clients, refusal: NO_ROOM, onFull: tellFull(log) },
      }),
    ])
    gateway.listensAt({ host: config.host, port: legacy.port }, legacy.connections)
    let graceEndsAt = Number.POSITIVE_INFINITY
    open.push({ close: () => gateway.close(Math.max(graceEndsAt - performance.now(), FLUSH_MS)) })
    // Closed last to first: while calls under way are answered, the admin port says that the gateway is going down.
    for (const listener of [admin, legacy]) open.push({ close: () => listener.close(config.shutdownGraceMs) })
    if (greet !== undefined) lines.release(greet({ legacyUrl: legacy.url, adminUrl: admin.url }))
    log.info(
      {
        legacy: legacy.url,
        admin: admin.url,
        v1: services.v1.href,
        ...(services.legacy !== undefined && { legacyService: services.legacy.href }),
        ...(sandbox !== undefined && { sandbox: true, sandboxLegacy: sandbox.legacyUrl }),
      },
      'serving',
    )
    return {
      legacyUrl: legacy.url,
      adminUrl: admin.url,
      log,
      async stop() {
        gateway.goDown()
        log.info('stopping')
        await legacy.drain(config.drainMs)
        graceEndsAt = performance.now() + config.shutdownGraceMs
        await closeAll()
        log.info('stopped')
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Pools of connections to services: for reads and for other calls, and of what is passed on. The sandbox has their other ends. */
const poolsTo = ({ legacy }: Services, isSandbox: boolean): number =>
  (legacy === undefined ? 2 : 6) * (isSandbox ? 2 : 1)

const tellFull =
  (log: Logger) =>
  (isFull: boolean, counts: ConnectionCounts): void =>
    isFull
      ? log.warn(counts, 'MAX_CONNECTIONS is reached: idle connections are closed for new ones, others wait')
      : log.info(counts, 'there is room for connections again')

/** Ports are taken while the gateway is being built; calls that come by then wait for it. */
function whenBuilt(building: Promise<BuiltGateway>, face: 'legacy' | 'admin'): BuiltGateway['legacy'] {
  let answer: BuiltGateway['legacy'] | undefined
  const built = building.then((gateway) => {
    answer = gateway[face]
    return answer
  })
  // That it cannot be built is told where it is waited for.
  built.catch(() => undefined)
  return (incoming, outgoing) =>
    answer === undefined ? built.then((listener) => listener(incoming, outgoing)) : answer(incoming, outgoing)
}

/** With the sandbox, its legacy face stands for the legacy service, unless another one is configured. */
function servicesOf({ v1BaseUrl, legacyBaseUrl }: Config, sandbox: Sandbox | undefined): Services {
  const legacy = legacyBaseUrl ?? (sandbox?.legacyUrl === undefined ? undefined : new URL(sandbox.legacyUrl))
  return { v1: v1BaseUrl ?? new URL(sandbox?.v1Url ?? ''), legacy }
}
