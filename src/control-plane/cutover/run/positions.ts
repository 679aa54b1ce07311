import type { Facts } from '../audit.ts'
import type { Decision } from '../cutover-store.ts'
import type { Move } from '../position.ts'
import { type Position, startOf } from '../position.ts'

/** A stop by this process, because its brake tripped or it was ordered to, until it is stored. */
export interface UnstoredStop {
  /** The id of its audit entry. */
  readonly id: string
  readonly operation: string
  readonly by: string
  readonly move: Move
  readonly facts: Facts
}

/** Where plans stand: as last read, except where this process has stopped one and has not stored that yet. */
export interface Positions {
  /** Takes what was read. Settles stops that are already in it, or that have nothing left to stop. */
  read(all: readonly Position[]): void
  /** Takes a decision that this process has just stored. */
  decided({ position, isNewStage }: Pick<Decision, 'position' | 'isNewStage'>): void
  /** Stops a plan at once in this process. */
  stop(stop: UnstoredStop): void
  /** The same, while an order to stop is checked: it is not among the unstored ones before `stop` takes it. */
  hold(stop: UnstoredStop): void
  /** Returns the stops that must be stored. */
  unstored(): readonly UnstoredStop[]
  /** Whether this process has stopped an operation and has not stored that yet, or holds a stop. */
  isUnstored(operation: string): boolean
  /** Forgets a stop, because it is stored or refused. */
  settle(stop: UnstoredStop): void
  /** Returns where a plan stands in this process. */
  of(operation: string): Position
  /** Returns where a plan stands, as last read from the store. */
  stored(operation: string): Position
  /** All positions, as last read from the store. */
  all(): readonly Position[]
}

/** @param now the time by the store's clock. */
export function knownPositions(now: () => Date): Positions {
  let known: ReadonlyMap<string, Position> = new Map()
  const begun = new Map<string, Position>()
  /** By their ids, oldest first. */
  const stops = new Map<
    string,
    { readonly stop: UnstoredStop; readonly position: Position; readonly isHeld: boolean }
  >()

  const stored = (operation: string): Position => {
    const position = known.get(operation) ?? begun.get(operation)
    if (position !== undefined) return position
    const first = startOf(operation, now().toISOString())
    begun.set(operation, first)
    return first
  }
  const stopHere = (stop: UnstoredStop, isHeld: boolean): void => {
    const { id, operation, by, move } = stop
    const { version } = stored(operation)
    const position: Position = {
      ...{ ...stored(operation), ...move.to, version: version + 1, stage: version + 1, since: now().toISOString() },
      ...{ by, why: move.why },
    }
    stops.set(id, { stop, position, isHeld })
  }
  const stopsOf = (operation: string) => [...stops.values()].filter(({ stop }) => stop.operation === operation)
  /** Settles stops that have nothing left to stop, and stops plans where they are now. */
  const review = (): void => {
    for (const { stop, position, isHeld } of [...stops.values()]) {
      const { state, percent, version } = stored(stop.operation)
      // Someone else stopped it too, or v1 answers nothing any more for another reason.
      if (state === 'stopped' || (stop.move.event === 'braked' && percent === 0)) stops.delete(stop.id)
      // A process that did not know of the stop moved the plan: stop it where it is now.
      else if (version >= position.version) stopHere(stop, isHeld)
    }
  }
  return {
    read(all) {
      known = new Map(all.map((position) => [position.operation, position]))
      review()
    },
    decided({ position, isNewStage }) {
      if (position === undefined) return
      const since = isNewStage === true ? now().toISOString() : stored(position.operation).since
      known = new Map([...known, [position.operation, { ...position, since }]])
      review()
    },
    stop: (stop) => stopHere(stop, false),
    hold: (stop) => stopHere(stop, true),
    unstored: () => [...stops.values()].flatMap(({ stop, isHeld }) => (isHeld ? [] : [stop])),
    isUnstored: (operation) => stopsOf(operation).length > 0,
    settle: ({ id }) => void stops.delete(id),
    of: (operation) => stopsOf(operation).at(-1)?.position ?? stored(operation),
    stored,
    all: () => [...known.values()],
  }
}
