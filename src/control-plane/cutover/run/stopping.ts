import type { Logger } from 'pino'
import { outlookOf, stopMove } from '../decide/outlook.ts'
import type { Move, Position } from '../position.ts'
import type { Standings } from './standings.ts'

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

/** Operations whose plans cannot be judged. A failure in one must not keep the brakes of the others from tripping, nor break the call that asked. */
export interface Unjudged {
  /** Logs the operation once, until it can be judged again. */
  add(operation: string, error: unknown): void
  remove(operation: string): void
}

export function unjudgedPlans(log: Pick<Logger, 'error'>): Unjudged {
  const told = new Set<string>()
  return {
    add(operation, error) {
      if (!told.has(operation)) log.error({ err: error, operation }, 'a plan cannot be judged: it stays where it is')
      told.add(operation)
    },
    remove: (operation) => void told.delete(operation),
  }
}

/** Logs a move from a position; a brake as a warning. */
export type LogMove = (move: Move, by: string, from: Position) => void

export const logMoves =
  (log: Pick<Logger, 'info' | 'warn'>): LogMove =>
  ({ event, to, why }, by, { operation, percent }) => {
    const line = { operation, event, by, from: percent, to: to.percent, state: to.state, why }
    log[event === 'braked' ? 'warn' : 'info'](line, 'a plan has moved')
  }

/** Checks brakes when calls fail: at once, but at most every `everyMs` per operation. */
export interface BrakeWatch {
  failed(operation: string): void
  close(): void
}

function brakeWatch(
  check: (operation: string) => void,
  { everyMs, monotonic }: { readonly everyMs: number; readonly monotonic: () => number },
): BrakeWatch {
  /** When each operation was last checked; ms. */
  const checkedAt = new Map<string, number>()
  const due = new Map<string, NodeJS.Timeout>()
  const checkNow = (operation: string): void => {
    due.delete(operation)
    checkedAt.set(operation, monotonic())
    check(operation)
  }
  return {
    failed(operation) {
      if (due.has(operation)) return
      const waitMs = (checkedAt.get(operation) ?? Number.NEGATIVE_INFINITY) + everyMs - monotonic()
      if (waitMs <= 0) checkNow(operation)
      else due.set(operation, setTimeout(checkNow, waitMs, operation).unref())
    },
    close() {
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}
