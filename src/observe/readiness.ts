/** Whether the gateway can answer calls, and why it cannot: nothing secret, and no addresses. */
export interface Readiness {
  readonly status: 'ready' | 'not ready'
  /** Whether v1 answers at all. */
  readonly v1: 'well' | 'down'
  readonly goingDown: boolean
  /** Of every service: whether calls of it are turned away because it counts as down. */
  readonly breakers: readonly { readonly upstream: string; readonly lane: string; readonly open: boolean }[]
}

/** Ready while v1 answers and the gateway is not going down; what else is down does not count. */
export function readinessOf(
  isV1Well: boolean,
  goingDown: boolean,
  lanes: readonly { readonly upstream: string; readonly lane: string; readonly isOpen: boolean }[],
): Readiness {
  return {
    status: isV1Well && !goingDown ? 'ready' : 'not ready',
    v1: isV1Well ? 'well' : 'down',
    goingDown,
    breakers: lanes.map(({ upstream, lane, isOpen: open }) => ({ upstream, lane, open })),
  }
}
