import { brakeWatch } from '../brake/brake-watch.ts'
import { stopMove } from '../decide/moves.ts'
import { outlookOf } from '../decide/outlook.ts'
import type { Move } from '../move.ts'
import type { LogMove } from './log-move.ts'
import type { Standings } from './standings.ts'
import type { Unjudged } from './unjudged.ts'

/** Stops plans at once in this process, even if the store fails. */
export interface Stopping {
  /** Stops a plan in this process. The stop is stored as soon as possible. */
  stop(operation: string, by: string, move: Move): void
  /** Checks the brake, and stops the plan if it trips. */
  check(operation: string): void
  /** Checks the brake now, or 100 ms later: a call of v1 failed. */
  failed(operation: string): void
  /** Returns how often the brake has tripped in this process, by operation. */
  brakes(): ReadonlyMap<string, number>
  close(): void
}

export interface StoppingOptions {
  readonly known: Standings
  readonly unjudged: Pick<Unjudged, 'add'>
  readonly logMove: LogMove
  readonly newId: () => string
  readonly monotonic: () => number
  /** Stores stops. */
  readonly storeSoon: () => void
}

/** How often the brake is checked while calls fail. */
const FAILED_MS = 100

export function stopping({ known, unjudged, logMove, newId, monotonic, storeSoon }: StoppingOptions): Stopping {
  const brakes = new Map<string, number>()
  const stop = (operation: string, by: string, move: Move): void => {
    logMove(move, by, known.position(operation))
    if (move.event === 'braked') brakes.set(operation, (brakes.get(operation) ?? 0) + 1)
    known.stop({ id: newId(), operation, by, move, facts: known.facts(operation) })
  }
  const check = (operation: string): void => {
    try {
      brakeIfNeeded(operation)
    } catch (error) {
      unjudged.add(operation, error)
    }
  }
  const brakeIfNeeded = (operation: string): void => {
    const plan = known.plans().get(operation)
    if (plan === undefined || known.isUnstored(operation)) return
    const standing = known.of(operation, plan)
    const { move } = outlookOf(standing)
    const recent = known.recentReason(standing)
    if (move?.event === 'braked') stop(operation, 'auto', move)
    else if (recent !== undefined) stop(operation, 'auto', stopMove('braked', recent))
    else return
    storeSoon()
  }
  const watch = brakeWatch(check, { everyMs: FAILED_MS, monotonic })
  return { stop, check, failed: watch.failed, brakes: () => brakes, close: watch.close }
}
