import type { Plan } from '../../compare/rollout/plan.ts'
import { StateError } from '../../state/state-error.ts'
import { carryOut } from '../decide/carry-out.ts'
import { decisionOf } from '../decide/decision-of.ts'
import type { Order, Ordered } from '../order.ts'
import type { Position } from '../position.ts'
import type { Deciding } from './deciding.ts'
import type { LogMove } from './log-move.ts'
import type { Standings } from './standings.ts'
import type { Stopping } from './stopping.ts'
import type { Turns } from './turns.ts'
import { within } from './within.ts'

export interface OrderingOptions {
  readonly known: Standings
  readonly deciding: Pick<Deciding, 'read' | 'decide'>
  readonly stopping: Pick<Stopping, 'stop'>
  readonly storing: Pick<Turns, 'take'>
  /** Stores stops. */
  readonly turn: () => Promise<void>
  readonly logMove: LogMove
  readonly newId: () => string
}

/** How long an order waits for the store. */
const ORDER_MS = 5_000

/** Returns the function that carries out orders, each within 5 s. It never rejects because of the store. */
export function ordering(options: OrderingOptions): (order: Order) => Promise<Ordered> {
  const { known, deciding, stopping, storing, turn, logMove, newId } = options

  const ordered = async (order: Order, plan: Plan, isGivenUp: () => boolean): Promise<Ordered> => {
    const { operation, by, version } = order
    for (let isLast = version !== undefined; ; isLast = true) {
      await deciding.read()
      const standing = known.of(operation, plan)
      const { position } = standing
      if (version !== undefined && version !== position.version) return stale(position)
      const move = carryOut(order, standing)
      if ('refused' in move) return { refused: 'refused', message: move.refused }
      if (isGivenUp()) return unavailable()
      if (await deciding.decide(decisionOf(position, move, by, newId(), known.facts(operation)))) {
        logMove(move, by, position)
        return { done: known.position(operation) }
      }
      if (isLast) {
        await deciding.read()
        return stale(known.position(operation))
      }
    }
  }
  /** Stops a plan by hand: here at once, and everywhere as soon as that is stored. */
  const stopped = async (order: Order, plan: Plan): Promise<Ordered> => {
    const { operation, by, version } = order
    const standing = known.of(operation, plan)
    if (version !== undefined && version !== standing.position.version) return stale(standing.position)
    const move = carryOut(order, standing)
    if ('refused' in move) return { refused: 'refused', message: move.refused }
    stopping.stop(operation, by, move)
    await within(ORDER_MS, turn())
    const done = known.position(operation)
    return { done: known.isUnstored(operation) ? { ...done, why: done.why + NOT_STORED } : done }
  }
  return async (order) => {
    known.follow()
    const plan = known.plans().get(order.operation)
    if (plan === undefined) {
      return { refused: 'unknown', message: `${order.operation} has no plan in the rollout file` }
    }
    if (order.action === 'stop') return stopped(order, plan)
    let isGivenUp = false
    try {
      const outcome = await within(
        ORDER_MS,
        storing.take(() => ordered(order, plan, () => isGivenUp)),
      )
      return outcome ?? unavailable()
    } catch (error) {
      if (!(error instanceof StateError)) throw error
      return unavailable(error.message)
    } finally {
      isGivenUp = true
    }
  }
}

/** Added to a plan's reason in reports while its stop waits to be stored. */
export const NOT_STORED = ' (not stored yet: STATE_DB cannot be used)'

const stale = ({ operation, version, state, percent }: Position): Ordered => ({
  refused: 'stale',
  message: `${operation} has changed meanwhile: it is now ${state} at ${percent} %, version ${version}`,
})

const unavailable = (reason = `STATE_DB has not answered for ${ORDER_MS / 1_000} s`): Ordered => ({
  refused: 'unavailable',
  message: `${reason}; check whether the plan has moved before you repeat the order`,
})
