import { within } from '../../common/promises.ts'
import type { Plan } from '../../compare/rollout/plan.ts'
import { StateError } from '../../state/state-error.ts'
import { carryOut } from '../decide/carry-out.ts'
import { decisionOf } from '../decide/decision-of.ts'
import { stopMove } from '../decide/moves.ts'
import type { Order, Ordered } from '../order.ts'
import type { OrderingOptions } from './ordering.ts'
import { NOT_STORED, ORDER_MS, stale } from './outcomes.ts'

/**
 * Returns the function that stops a plan by hand: in this process at once, and everywhere as soon as the stop is stored. Only what the store says
 * now can refuse it; then the stop ends here too. While the store cannot be read, only a `version` other than the one known here is refused.
 */
export function stopByHand(options: OrderingOptions): (order: Order, plan: Plan) => Promise<Ordered> {
  const { known, deciding, storing, logMove, newId } = options

  return async (order, plan) => {
    const { operation, by, why, version } = order
    const before = known.position(operation)
    const move = stopMove('stopped', why)
    const stop = { id: newId(), operation, by, move, facts: known.facts(operation) }
    known.hold(stop)
    let isGivenUp = false

    const stopIfStored = async (): Promise<Ordered | undefined> => {
      // A brake of this process that is not stored yet comes first.
      await deciding.storeStops()
      while (!isGivenUp) {
        await deciding.read()
        if (isGivenUp) break
        const position = known.stored(operation)
        if (version !== undefined && version !== position.version) return refused(stale(position))
        const ordered = carryOut(order, { ...known.of(operation, plan), position })
        if ('refused' in ordered) return refused({ refused: 'refused', message: ordered.refused })
        if (await deciding.decide(decisionOf(position, ordered, by, stop.id, stop.facts))) {
          known.settle(stop)
          if (!isGivenUp) logMove(ordered, by, position)
          return { done: known.position(operation) }
        }
      }
      return undefined
    }
    const refused = (outcome: Ordered): Ordered => {
      known.settle(stop)
      return outcome
    }

    const outcome = await within(ORDER_MS, storing.take(stopIfStored).catch(unlessUnreadable))
    isGivenUp = true
    if (outcome !== undefined) return outcome
    if (version !== undefined && version !== before.version) return refused(stale(before))
    known.stop(stop)
    logMove(move, by, before)
    const done = known.position(operation)
    return { done: { ...done, why: done.why + NOT_STORED } }
  }
}

function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof StateError)) throw error
}
