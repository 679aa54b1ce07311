import { type Logger, pino } from 'pino'
import type { RefuseUnreadable } from '../http/connections.ts'
import { listen, StartError } from '../http/listen.ts'
import { openLogLines } from '../observe/log-lines.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import { connectorTo, tryConnection } from '../upstream/connector.ts'
import { type BuiltGateway, buildGateway, type Services } from './build-gateway.ts'
import type { Config } from './config.ts'
import { startConfiguredSandbox } from './configured-sandbox.ts'
import { connectingTo } from './connect-services.ts'
import { clientPort, NO_ROOM, openFilesLimit, shareOpenFiles } from './open-files.ts'

/** The least time that a stopping gateway has to compare and record answered calls. */
const FLUSH_MS = 500

const SANDBOX =
  'V1_BASE_URL is not set: the sandbox answers, with made-up data; set V1_BASE_URL and LEGACY_BASE_URL to the real services'

/** A running gateway. */
export interface RunningGateway {
  readonly legacyUrl: string
  readonly adminUrl: string
  readonly log: Logger
  /** Drains: keeps accepting calls for a while, so that load balancers notice. Then answers the running calls and stops. */
  stop(): Promise<void>
}

/**
 * Builds the gateway, and listens. If a step fails, closes what the earlier ones opened.
 * @param greet returns what to write before the log, once the gateway serves; undefined: nothing.
 * @throws StartError, MappingError.
 */
export async function startGateway(
  config: Config,
  greet?: (urls: { readonly legacyUrl: string; readonly adminUrl: string }) => string,
): Promise<RunningGateway> {
  const lines = openLogLines({ isHeldBack: greet !== undefined })
  // The last lines may say why the process ends.
  process.once('exit', () => lines.flushSync())
  const log = pino({ level: config.logLevel }, lines)
  /** Open parts, in the order of opening. */
  const open: { close(): Promise<void> }[] = []
  const closeAll = async (): Promise<void> => {
    for (const part of open.reverse()) await part.close()
  }
  try {
    for (const warning of config.unread) log.warn(warning)
    if (config.sunset !== undefined && config.sunset.getTime() < Date.now()) {
      log.warn({ sunset: config.sunset }, 'SUNSET is in the past: clients are told that the legacy interface is gone')
    }
    const sandbox = config.v1BaseUrl === undefined ? await startConfiguredSandbox(config, '127.0.0.1') : undefined
    if (sandbox !== undefined) open.push(sandbox)
    const services = servicesOf(config, sandbox)
    if (sandbox !== undefined) log.warn({ v1: services.v1.href, legacy: services.legacy?.href }, SANDBOX)
    const { keepAliveMs, maxBodyBytes } = config
    const files = shareOpenFiles(openFilesLimit(), poolsTo(services, sandbox !== undefined), config.maxConnections)
    if (files.clients.limit > files.room) {
      log.warn(
        { room: files.room },
        'MAX_CONNECTIONS exceeds what the limit of open files (ulimit -n) leaves for clients',
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
        refuseUnreadable: refuserWhenBuilt(building),
        ...clientPort(files, log),
      }),
    ])
    gateway.listensAt({ host: config.host, port: legacy.port }, legacy.connections)
    let graceEndsAt = Number.POSITIVE_INFINITY
    open.push({ close: () => gateway.close(Math.max(graceEndsAt - performance.now(), FLUSH_MS)) })
    // Closed last to first: while the running calls are answered, the admin port says that the gateway is going down.
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
    if (sandbox === undefined) void reportUnreachable(services, { ...config, connecting }, log)
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

/** How long the first connection to a service may take before the log says why there is none. */
const FIRST_CONNECTION_MS = 5_000

/** Opens a connection to each service, without a request, and logs why there is none. */
async function reportUnreachable(
  services: Services,
  { connecting, upstreamTimeoutMs }: Pick<Config, 'connecting' | 'upstreamTimeoutMs'>,
  log: Logger,
): Promise<void> {
  const timeoutMs = Math.min(upstreamTimeoutMs, FIRST_CONNECTION_MS)
  for (const upstream of ['v1', 'legacy'] as const) {
    const url = services[upstream]
    if (url === undefined) continue
    const why = await tryConnection(url, connectorTo(connectingTo(upstream, url, connecting), timeoutMs))
    if (why !== undefined) log.warn({ upstream, url: url.href, why }, 'there is no connection to the service yet')
  }
}

/**
 * Returns the number of connection pools to services: two for v1 (reads and other calls), four for legacy (the same
 * two, and two for calls that are passed through). With the sandbox, the process has their other ends too.
 */
const poolsTo = ({ legacy }: Services, isSandbox: boolean): number =>
  (legacy === undefined ? 2 : 6) * (isSandbox ? 2 : 1)

/**
 * Answers calls that arrive while the gateway is being built, when its ports are already open: they wait until it is
 * built.
 */
function whenBuilt(building: Promise<BuiltGateway>, face: 'legacy' | 'admin'): BuiltGateway['legacy'] {
  let answer: BuiltGateway['legacy'] | undefined
  const built = building.then((gateway) => {
    answer = gateway[face]
    return answer
  })
  // A failed build is reported where it is awaited.
  built.catch(() => undefined)
  return (incoming, outgoing) =>
    answer === undefined ? built.then((listener) => listener(incoming, outgoing)) : answer(incoming, outgoing)
}

/** Refuses what is no request. Until the gateway is built, the answer has no body. */
function refuserWhenBuilt(building: Promise<BuiltGateway>): RefuseUnreadable {
  let built: BuiltGateway | undefined
  building.then(
    (gateway) => {
      built = gateway
    },
    () => undefined,
  )
  return (sent) => built?.refuseUnreadable(sent) ?? { headers: {}, body: '' }
}

/**
 * Returns the services. If the sandbox runs, its legacy interface is the legacy service, unless another one is
 * configured.
 */
function servicesOf({ v1BaseUrl, legacyBaseUrl }: Config, sandbox: Sandbox | undefined): Services {
  const legacy = legacyBaseUrl ?? (sandbox?.legacyUrl === undefined ? undefined : new URL(sandbox.legacyUrl))
  return { v1: v1BaseUrl ?? new URL(sandbox?.v1Url ?? ''), legacy, isSandbox: sandbox !== undefined }
}

/** Waits until all parts have started. If any cannot start, closes the others and throws all reasons, one per line. */
async function startAll<Parts extends readonly { close(graceMs: number): Promise<void> }[]>(
  parts: readonly [...{ [Index in keyof Parts]: Promise<Parts[Index]> }],
): Promise<Parts> {
  const settled = await Promise.allSettled(parts)
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const reasons = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (reasons.length > 0) {
    await Promise.all(started.map((part) => part.close(0)))
    const unexpected = reasons.find((reason) => !(reason instanceof StartError))
    throw unexpected ?? new StartError(reasons.map(({ message }) => message).join('\n'), { cause: reasons[0] })
  }
  return started as unknown as Parts
}
