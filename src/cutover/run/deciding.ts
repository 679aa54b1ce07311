import type { CutoverLease, CutoverStore, Decision } from '../cutover-store.ts'
import { decisionOf } from '../decide/decision-of.ts'
import { outlookOf } from '../decide/outlook.ts'
import type { LogMove } from './log-move.ts'
import type { Standings } from './standings.ts'
import type { Stopping } from './stopping.ts'

/** What is read from the store and decided there, for one thing at a time: see `turns`. All reject with a StateError. */
export interface Deciding {
  read(): Promise<void>
  /** Stores a decision and puts it into effect. Returns false if the position has moved on meanwhile. */
  decide(decision: Decision, lease?: CutoverLease): Promise<boolean>
  /** Stores what was stopped here. */
  storeStops(): Promise<void>
  /** Takes the steps that are due, if this process holds the lease. */
  decideAll(): Promise<void>
  /** The brownouts that began before this time are over; ISO 8601, null: nobody ended any. */
  brownoutsEndedAt(): string | null
}

export interface DecidingOptions {
  readonly known: Standings
  readonly store: CutoverStore
  readonly stopping: Pick<Stopping, 'stop'>
  readonly logMove: LogMove
  readonly newId: () => string
}

export function deciding({ known, store, stopping, logMove, newId }: DecidingOptions): Deciding {
  let brownoutsEndedAt: string | null = null
  const read = async (): Promise<void> => {
    const state = await known.read(store)
    brownoutsEndedAt = state.brownoutsEndedAt
  }
  const decide = async (decision: Decision, lease?: CutoverLease): Promise<boolean> => {
    if ((await store.decide(decision, lease)) === 'stale') return false
    known.decided(decision)
    return true
  }
  return {
    read,
    decide,
    async storeStops() {
      for (const one of known.unstored()) {
        const { operation, move, by, id, facts } = one
        // Stale: `read` stops it where it is now, and the next turn stores that.
        if (await decide(decisionOf(known.stored(operation), move, by, id, facts))) known.settle(one)
        else await read()
      }
    },
    async decideAll() {
      const lease = known.plans().size === 0 ? undefined : await store.lease()
      if (lease === undefined) return
      for (const [operation, plan] of known.plans()) {
        const standing = known.of(operation, plan)
        const { move } = outlookOf(standing)
        if (move === undefined || known.isUnstored(operation)) continue
        if (move.event === 'braked') stopping.stop(operation, 'auto', move)
        else if (await decide(decisionOf(standing.position, move, 'auto', newId(), known.facts(operation)), lease)) {
          logMove(move, 'auto', standing.position)
        }
      }
    },
    brownoutsEndedAt: () => brownoutsEndedAt,
  }
}
