/** Whether a service answers as it should. */
export type Health = 'well' | 'down'

/** What is the matter with the gateway and the services behind it: nothing secret, no addresses and no reasons. */
export interface State {
  readonly v1: Health
  /** Left out where there is no legacy service. */
  readonly legacy?: Health
  readonly goingDown: boolean
  /** `refused`: the newest version of the rollout file is, and the previous one stays in effect. */
  readonly rollout: 'none' | 'in effect' | 'refused'
  /** Of every service: whether calls of it are turned away because it counts as down. */
  readonly breakers: readonly { readonly upstream: string; readonly lane: string; readonly open: boolean }[]
  /** Set while bodies or answers wait for memory. */
  readonly memory?: 'short'
}

/** Whether calls should come here, and what is the matter. */
export interface Readiness extends State {
  readonly status: 'ready' | 'not ready'
}

/**
 * Ready until the gateway goes down: a v1 that is down is so for every replica, and lists that are kept, and what legacy
 * answers, need none. Strictly, v1 must be well too.
 */
export function readinessOf(state: State, isStrict: boolean): Readiness {
  const isReady = !state.goingDown && (state.v1 === 'well' || !isStrict)
  return { status: isReady ? 'ready' : 'not ready', ...state }
}

/** @param isLegacyWell undefined: there is no legacy service. */
export function stateOf({
  isV1Well,
  isLegacyWell,
  goingDown,
  rollout,
  lanes,
  memory,
}: {
  readonly isV1Well: boolean
  readonly isLegacyWell: boolean | undefined
  readonly goingDown: boolean
  readonly rollout: { readonly loadedAt: string | null; readonly error: string | null }
  readonly lanes: readonly { readonly upstream: string; readonly lane: string; readonly isOpen: boolean }[]
  readonly memory: { readonly waiting: number }
}): State {
  return {
    v1: isV1Well ? 'well' : 'down',
    ...(isLegacyWell !== undefined && { legacy: isLegacyWell ? 'well' : 'down' }),
    goingDown,
    rollout: rollout.error !== null ? 'refused' : rollout.loadedAt === null ? 'none' : 'in effect',
    breakers: lanes.map(({ upstream, lane, isOpen: open }) => ({ upstream, lane, open })),
    ...(memory.waiting > 0 && { memory: 'short' }),
  }
}
