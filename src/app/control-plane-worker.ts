import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { HOUR_MS } from '../common/time.ts'
import type { CachedCutover } from '../control-plane/cutover/run/position-cache.ts'
import { listen } from '../data-plane/http/listen.ts'
import { SharedUse } from '../data-plane/upstream/memory-budget.ts'
import { plainError } from '../planes/channel.ts'
import { withUrls } from '../planes/plain-urls.ts'
import type { Config } from './config.ts'
import { buildControlPlane, type ControlSettings } from './control-plane.ts'
import type { Services } from './data-plane.ts'
import { NO_ROOM, type OpenFiles } from './open-files.ts'
import { startAll, whenBuilt } from './start-all.ts'

/** What the thread of the control plane starts with: plain data. */
export interface ControlPlaneData {
  /** Leads to the data plane. */
  readonly port: MessagePort
  /** `StartSettings` without URLs. */
  readonly settings: unknown
  readonly key: Uint8Array
  readonly shared: SharedArrayBuffer
  readonly lastCutover: CachedCutover | undefined
}

/** What a control plane is configured with. */
export interface StartSettings {
  readonly config: ControlSettings & Pick<Config, 'adminHost' | 'adminPort' | 'keepAliveMs' | 'logLevel'>
  readonly services: Services
  readonly adminConnections: OpenFiles['admin']
}

/** What the thread says once it has started, or cannot. */
export type StartOutcome =
  | { readonly started: { readonly url: string; readonly port: number } }
  | { readonly failed: ReturnType<typeof plainError> }

/** Runs the admin port and everything else that is not a call. */
async function run({ port, settings, key, shared, lastCutover }: ControlPlaneData): Promise<void> {
  const { config, services, adminConnections } = withUrls<StartSettings>(settings)
  let closeAdmin: (graceMs: number) => Promise<void> = async () => undefined
  const building = buildControlPlane(config, services, port, {
    ...{ key, sharedUse: new SharedUse(shared), lastCutover, closeAdmin: (graceMs) => closeAdmin(graceMs) },
    log: (dataPlane) => pino({ level: config.logLevel }, { write: (line) => dataPlane.tell('log', [line]) }),
  })
  const answer = building.then(({ admin }) => admin)
  const [, admin] = await startAll([
    building,
    listen(whenBuilt(answer), config.adminHost, config.adminPort, 'ADMIN_HOST, ADMIN_PORT', {
      keepAliveMs: config.keepAliveMs,
      connections: { ...adminConnections, refusal: NO_ROOM },
    }),
  ])
  closeAdmin = admin.close
  say({ started: { url: admin.url, port: admin.port } })
}

const say = (outcome: StartOutcome): void => parentPort?.postMessage(outcome)

// Until it is ended: while it starts or stops, nothing else might keep it alive.
setInterval(() => undefined, HOUR_MS)
run(workerData as ControlPlaneData).catch((error: unknown) => say({ failed: plainError(error) }))
