import { within } from '../../common/promises.ts'
import type { Plan } from '../../compare/rollout/plan.ts'
import { StateError } from '../../state/state-error.ts'
import { carryOut } from '../decide/carry-out.ts'
import { decisionOf } from '../decide/decision-of.ts'
import type { Order, Ordered } from '../order.ts'
import type { Deciding } from './deciding.ts'
import type { Judging } from './judging.ts'
import type { LogMove } from './log-move.ts'
import { noPlan, ORDER_MS, stale, UNREAD, unavailable } from './outcomes.ts'
import type { Standings } from './standings.ts'
import { stopByHand } from './stop-by-hand.ts'
import type { Turns } from './turns.ts'

export interface OrderingOptions {
  readonly known: Standings
  readonly deciding: Pick<Deciding, 'read' | 'decide' | 'storeStops'>
  readonly storing: Pick<Turns, 'take'>
  readonly judgeNow: Judging['now']
  readonly logMove: LogMove
  readonly newId: () => string
}

/** Returns the function that carries out orders, each within 5 s. It never rejects because of the store. */
export function ordering(options: OrderingOptions): (order: Order) => Promise<Ordered> {
  const { known, deciding, storing, judgeNow, logMove, newId } = options
  const stopped = stopByHand(options)

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
  const judged = async (order: Order, plan: Plan, isGivenUp: () => boolean): Promise<Ordered> => {
    // An order to advance needs no evidence for the step, but must know the evidence against it.
    if (order.action === 'advance' && !(await judgeNow(order.operation))) return UNREAD
    return storing.take(() => ordered(order, plan, isGivenUp))
  }
  return async (order) => {
    known.follow()
    const plan = known.plans().get(order.operation)
    if (plan === undefined) return { refused: 'unknown', message: noPlan(order.operation) }
    if (order.action === 'stop') return stopped(order, plan)
    let isGivenUp = false
    try {
      const outcome = await within(
        ORDER_MS,
        judged(order, plan, () => isGivenUp),
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
