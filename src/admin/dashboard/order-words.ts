import type { CutoverReport } from '../../cutover/cutover.ts'
import { ACTIONS, type Action } from '../../cutover/decide/order.ts'
import type { PlanState } from '../../cutover/position.ts'

/** The orders that make sense in each state. */
const SENSIBLE: Readonly<Record<PlanState, readonly Action[]>> = {
  waiting: ['advance', 'pause', 'stop'],
  running: ['advance', 'pause', 'stop'],
  'awaiting approval': ['approve', 'pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: ['resume'],
  done: ['stop'],
}

/** The names of the orders on buttons and in headings. */
export const ORDER_NAMES: Readonly<Record<Action, string>> = {
  advance: 'Advance',
  approve: 'Approve',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
}

export const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name)

/** Returns the orders that make sense in a plan's state. */
export const sensibleOrders = ({ state }: Pick<CutoverReport, 'state'>): readonly Action[] => SENSIBLE[state]

/** What an order does. */
export interface Effect {
  /** In sentences. */
  readonly says: readonly string[]
  /** The percentage of clients that v1 will answer once the order has taken effect. */
  readonly percent: number
}

/** Says what an order will do. */
export function effectOf(action: Action, { state, percent, next, operation }: CutoverReport): Effect {
  const to = next ?? percent
  switch (action) {
    case 'advance':
      return {
        says: [
          `Within two seconds, v1 answers ${to} % of the clients of ${operation} instead of ${percent} %. The step does not wait for calls, minutes, the window or a missing verdict.`,
          `The brake stays active: if v1 fails, or answers differently from the legacy service, ${operation} goes back to 0 %.`,
        ],
        percent: to,
      }
    case 'approve':
      return {
        says: [
          `The plan may take the step from ${percent} % to ${to} %. It does so as soon as nothing else is missing, which may be at once.`,
        ],
        percent: to,
      }
    case 'pause':
      return {
        says: [
          `v1 keeps answering ${percent} % of the clients of ${operation}, and the plan takes no step until someone resumes it. The brake stays active.`,
        ],
        percent,
      }
    case 'resume':
      return state === 'stopped'
        ? {
            says: [
              `${operation} starts over at 0 %, and takes its first step as soon as nothing is missing. Make sure that what stopped it is fixed.`,
            ],
            percent: 0,
          }
        : {
            says: [`${operation} continues at ${percent} %, and takes its next step when nothing is missing.`],
            percent,
          }
    case 'stop':
      return {
        says: [
          `The legacy service takes over all clients of ${operation} at once. v1 answers none until someone resumes the plan, which starts over at 0 %.`,
        ],
        percent: 0,
      }
  }
}
