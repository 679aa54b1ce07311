import type { ControlPlaneState } from '../planes/messages.ts'

/** Whether a service answers as it should. */
export type Health = 'well' | 'down'

/** What is known of a file of the operator's: there is none, or whether its newest version is in effect. */
type FileState = 'none' | 'in effect' | 'refused'

/** The services behind the gateway: addresses with their path prefix, without a trailing slash. They hold no credentials. */
interface ServiceAddresses {
  readonly v1: string
  /** Left out without a legacy service. */
  readonly legacy?: string
}

/** The state of the gateway and of the services behind it, without secrets. */
export interface State {
  readonly services: ServiceAddresses
  /** Set if the sandbox stands in for the services. */
  readonly sandbox?: true
  readonly v1: Health
  /** Left out without a legacy service. */
  readonly legacy?: Health
  /** Why a service is down, in words; set for each that is, where the cause is known. */
  readonly why?: { readonly v1?: string; readonly legacy?: string }
  readonly goingDown: boolean
  /** `refused`: the newest version of the rollout file was refused, and the previous one stays in effect. */
  readonly rollout: FileState
  /** The same of the mapping file. */
  readonly mapping: FileState
  /** The breaker of each lane; open: calls are refused because the service counts as down. */
  readonly breakers: readonly { readonly upstream: string; readonly lane: string; readonly open: boolean }[]
  /** `degraded`: results cannot be stored or shared. No call needs that, so the gateway stays ready. */
  readonly state: 'ok' | 'degraded'
  /** Since when it is degraded, ISO 8601; set while it is. */
  readonly stateSince?: string
  /** Set while bodies or answers wait for memory. */
  readonly memory?: 'short'
  /** Set once the control plane was started again: how often since the start, the last time, and why. No call needs it. */
  readonly controlPlane?: { readonly restarts: number; readonly at: string; readonly why: string }
}

/** Whether this replica should get calls, with its state. */
export interface Readiness extends State {
  readonly status: 'ready' | 'not ready'
}

/**
 * Returns the readiness: ready until the gateway stops. A v1 that is down is down for every replica, and cached lists and
 * operations that legacy answers do not need it. With `isStrict`, v1 must be well too.
 */
export function readinessOf(state: State, isStrict: boolean): Readiness {
  const isReady = !state.goingDown && (state.v1 === 'well' || !isStrict)
  return { status: isReady ? 'ready' : 'not ready', ...state }
}

/**
 * Makes the state for `/readyz` and the metrics.
 * @param isLegacyWell undefined: there is no legacy service.
 */
export function stateOf({
  services,
  isV1Well,
  isLegacyWell,
  why = {},
  goingDown,
  rollout,
  mapping,
  lanes,
  engine,
  memory,
  controlPlane,
}: {
  readonly services: { readonly v1: URL; readonly legacy: URL | undefined; readonly isSandbox?: boolean | undefined }
  readonly isV1Well: boolean
  readonly isLegacyWell: boolean | undefined
  readonly why?: { readonly v1?: string | undefined; readonly legacy?: string | undefined }
  readonly goingDown: boolean
  readonly rollout: LoadedFile
  readonly mapping: LoadedFile
  readonly lanes: readonly { readonly upstream: string; readonly lane: string; readonly isOpen: boolean }[]
  readonly engine: { readonly state: 'ok' | 'degraded'; readonly since: string }
  readonly memory: { readonly waiting: number }
  readonly controlPlane: ControlPlaneState
}): State {
  const { v1, legacy, isSandbox } = services
  const causes = {
    ...(!isV1Well && why.v1 !== undefined && { v1: why.v1 }),
    ...(isLegacyWell === false && why.legacy !== undefined && { legacy: why.legacy }),
  }
  return {
    services: { v1: addressOf(v1), ...(legacy !== undefined && { legacy: addressOf(legacy) }) },
    ...(isSandbox === true && { sandbox: true }),
    v1: isV1Well ? 'well' : 'down',
    ...(isLegacyWell !== undefined && { legacy: isLegacyWell ? 'well' : 'down' }),
    ...(Object.keys(causes).length > 0 && { why: causes }),
    goingDown,
    rollout: fileState(rollout),
    mapping: fileState(mapping),
    breakers: lanes.map(({ upstream, lane, isOpen: open }) => ({ upstream, lane, open })),
    state: engine.state,
    ...(engine.state === 'degraded' && { stateSince: engine.since }),
    ...(memory.waiting > 0 && { memory: 'short' }),
    ...(controlPlane.last !== null && { controlPlane: { restarts: controlPlane.restarts, ...controlPlane.last } }),
  }
}

interface LoadedFile {
  readonly loadedAt: string | null
  readonly error: string | null
}

const fileState = ({ loadedAt, error }: LoadedFile): FileState =>
  error !== null ? 'refused' : loadedAt === null ? 'none' : 'in effect'

/** Returns an address without what may be secret, and without a trailing slash. */
export const addressOf = ({ origin, pathname }: URL): string => origin + pathname.replace(/\/+$/, '')
