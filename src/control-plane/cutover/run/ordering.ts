import { within } from '../../../common/promises.ts'
import type { Plan } from '../../rollout/plan.ts'
import { StateError } from '../../store/state-error.ts'
import { decisionOf } from '../audit.ts'
import { carryOut, type Order, type Ordered } from '../decide/order.ts'
import { stopMove } from '../decide/outlook.ts'
import type { Position } from '../position.ts'
import type { Deciding, Turns } from './deciding.ts'
import type { Judging } from './judging.ts'
import type { Standings } from './standings.ts'
import type { LogMove } from './stopping.ts'

interface OrderingOptions {
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

/**
 * Returns the function that stops a plan by hand: in this process at once, and everywhere as soon as the stop is stored. Only what the store says
 * now can refuse it; then the stop ends here too. While the store cannot be read, only a `version` other than the one known here is refused.
 */
function stopByHand(options: OrderingOptions): (order: Order, plan: Plan) => Promise<Ordered> {
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

/** How long an order waits for the store. */
const ORDER_MS = 5_000

/** Added to a plan's reason in reports while its stop waits to be stored. */
export const NOT_STORED = ' (not stored yet: STATE_DB cannot be used)'

export const noPlan = (operation: string): string => `${operation} has no plan in the rollout file`

/** The order names another version than the position has. */
const stale = ({ operation, version, state, percent }: Position): Ordered => ({
  refused: 'stale',
  message: `${operation} has changed meanwhile: it is now ${state} at ${percent} %, version ${version}`,
})

/** The order cannot be carried out now, or nobody knows whether it was. */
const unavailable = (reason = `STATE_DB has not answered for ${ORDER_MS / 1_000} s`): Ordered => ({
  refused: 'unavailable',
  message: `${reason}; check whether the plan has moved before you repeat the order`,
})

/** The order would take a step, and what speaks against it could not be read. */
const UNREAD: Ordered = {
  refused: 'unavailable',
  message: 'the results of all gateways could not be read from STATE_DB, and no step is taken without them: try again',
}
