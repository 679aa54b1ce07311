import { type Logger, pino } from 'pino'
import type { RefuseUnreadable } from '../data-plane/http/connections.ts'
import { listen } from '../data-plane/http/listen.ts'
import { connectorTo, tryConnection } from '../data-plane/upstream/connector.ts'
import { sharedLeftAlone } from '../data-plane/upstream/slow-down.ts'
import { watchTlsFiles } from '../data-plane/upstream/tls-files.ts'
import { openLogLines, prettyLines } from '../observe/log-lines.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { Config } from './config.ts'
import { refuseRealServices } from './config-of-copy.ts'
import { startConfiguredSandbox } from './configured-sandbox.ts'
import { connectingTo } from './connect-services.ts'
import { type BuiltDataPlane, buildDataPlane, type Services } from './data-plane.ts'
import { clientPort, openFilesLimit, shareOpenFiles } from './open-files.ts'
import { runControlPlane } from './run-control-plane.ts'
import { startAll, whenBuilt } from './start-all.ts'

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
  const form = config.logFormat === 'pretty' ? await prettyLines() : undefined
  const lines = openLogLines({ isHeldBack: greet !== undefined, form })
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
    if (config.copy !== undefined) await refuseRealServices(config.copy.baseUrl, services)
    const { keepAliveMs, maxBodyBytes } = config
    const files = shareOpenFiles(
      openFilesLimit(),
      poolsTo(services, config, sandbox !== undefined),
      config.maxConnections,
    )
    if (files.clients.limit > files.room) {
      log.warn(
        { room: files.room },
        'MAX_CONNECTIONS exceeds what the limit of open files (ulimit -n) leaves for clients',
      )
    }
    const connecting = { ...config.connecting, connections: files.perPool, leftAlone: sharedLeftAlone() }
    const building = buildDataPlane({ ...config, connecting }, services, log, { linesDropped: lines.dropped })
    const deciding = building.then((dataPlane) => {
      const { trustedProxies: _, ...others } = config
      const settings = { config: { ...others, connecting }, services, adminConnections: files.admin }
      return runControlPlane({ settings, dataPlane, log, writeLine: lines.write })
    })
    const onRefused = (problems: readonly string[]): void =>
      log.warn({ problems }, 'the new TLS files cannot be used: the previous ones stay in effect')
    const answer = Promise.all([building, deciding]).then(([dataPlane]) => dataPlane.legacy)
    const [dataPlane, controlPlane, legacy] = await startAll([
      building,
      deciding,
      listen(whenBuilt(answer), config.host, config.port, 'HOST, PORT', {
        keepAliveMs,
        maxBodyBytes,
        refuseUnreadable: refuserWhenBuilt(building),
        ...clientPort(files, log),
        tls: config.tls && watchTlsFiles(config.tls, onRefused),
      }),
    ])
    dataPlane.listensAt(legacy.connections)
    controlPlane.listensAt({ host: config.host, port: legacy.port, isEncrypted: config.tls !== undefined })
    let graceEndsAt = Number.POSITIVE_INFINITY
    const grace = (): number => Math.max(graceEndsAt - performance.now(), FLUSH_MS)
    open.push({ close: () => dataPlane.close(grace()) })
    open.push({
      async close() {
        await dataPlane.flush()
        await controlPlane.close(grace())
      },
    })
    // Closed last to first: while the running calls are answered, the admin port says that the gateway is going down.
    open.push({ close: () => legacy.close(config.shutdownGraceMs) })
    if (greet !== undefined) lines.release(greet({ legacyUrl: legacy.url, adminUrl: controlPlane.adminUrl }))
    log.info(
      {
        legacy: legacy.url,
        admin: controlPlane.adminUrl,
        v1: services.v1.href,
        ...(services.legacy !== undefined && { legacyService: services.legacy.href }),
        ...(config.copy !== undefined && { copyOfV1: config.copy.baseUrl.href }),
        ...(sandbox !== undefined && { sandbox: true, sandboxLegacy: sandbox.legacyUrl }),
      },
      'serving',
    )
    if (sandbox === undefined) void reportUnreachable(services, { ...config, connecting }, log)
    return {
      legacyUrl: legacy.url,
      adminUrl: controlPlane.adminUrl,
      log,
      async stop() {
        dataPlane.goDown()
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
  { connecting, upstreamTimeoutMs, copy }: Pick<Config, 'connecting' | 'upstreamTimeoutMs' | 'copy'>,
  log: Logger,
): Promise<void> {
  const timeoutMs = Math.min(upstreamTimeoutMs, FIRST_CONNECTION_MS)
  const urls = { v1: services.v1, legacy: services.legacy, copy: copy?.baseUrl }
  for (const upstream of ['v1', 'legacy', 'copy'] as const) {
    const url = urls[upstream]
    if (url === undefined) continue
    const why = await tryConnection(url, connectorTo(connectingTo(upstream, url, connecting), timeoutMs))
    if (why !== undefined) log.warn({ upstream, url: url.href, why }, 'there is no connection to the service yet')
  }
}

/**
 * Returns the number of connection pools to services, those of comparisons included: four for v1 (reads and other calls), eight for legacy (the
 * same, and those for calls that are passed through). With the sandbox, the process has their other ends too. A copy of v1 has two more.
 */
const poolsTo = ({ legacy }: Services, { copy }: Pick<Config, 'copy'>, isSandbox: boolean): number =>
  (legacy === undefined ? 4 : 12) * (isSandbox ? 2 : 1) + (copy === undefined ? 0 : 2)

/** Refuses what is no request. Until the gateway is built, the answer has no body. */
function refuserWhenBuilt(building: Promise<BuiltDataPlane>): RefuseUnreadable {
  let built: BuiltDataPlane | undefined
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
