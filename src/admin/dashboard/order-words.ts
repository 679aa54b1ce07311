import { ACTIONS, type Action } from '../../cutover/order.ts'
import type { PlanState } from '../../cutover/position.ts'
import type { CutoverReport } from '../../cutover/report.ts'

/** The orders that make sense in each state. */
const SENSIBLE: Readonly<Record<PlanState, readonly Action[]>> = {
  waiting: ['advance', 'pause', 'stop'],
  running: ['advance', 'pause', 'stop'],
  'awaiting approval': ['approve', 'pause', 'stop'],
  paused: ['resume', 'stop'],
  stopped: ['resume'],
  done: ['stop'],
}

/** The names of the orders, on buttons and headings. */
export const ORDER_NAMES: Readonly<Record<Action, string>> = {
  advance: 'Advance',
  approve: 'Approve',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
}

export const isAction = (name: string): name is Action => (ACTIONS as readonly string[]).includes(name)

/** Returns the orders that make sense as a plan stands. */
export const sensibleOrders = ({ state }: Pick<CutoverReport, 'state'>): readonly Action[] => SENSIBLE[state]

/** What an order does. */
export interface Effect {
  /** In sentences. */
  readonly says: readonly string[]
  /** The percentage of clients that v1 will answer, sooner or later. */
  readonly percent: number
}

/** Says what an order will do. */
export function effectOf(action: Action, { state, percent, next, operation }: CutoverReport): Effect {
  const to = next ?? percent
  switch (action) {
    case 'advance':
      return {
        says: [
          `v1 answers ${to} % of the clients of ${operation} within two seconds, instead of ${percent} %. Calls, minutes, window and a missing verdict are not waited for.`,
          'The brake stays: if v1 fails, or answers otherwise than the legacy service, it goes back to 0 %.',
        ],
        percent: to,
      }
    case 'approve':
      return {
        says: [
          `The step from ${percent} % to ${to} % may be taken. It is taken as soon as nothing else is missing, which may be at once.`,
        ],
        percent: to,
      }
    case 'pause':
      return {
        says: [
          `v1 goes on answering ${percent} % of the clients of ${operation}, and no step is taken until somebody resumes. The brake stays.`,
        ],
        percent,
      }
    case 'resume':
      return state === 'stopped'
        ? {
            says: [
              `${operation} begins again at 0 %. Its first step is taken as soon as nothing is missing. Be sure that what stopped it is mended.`,
            ],
            percent: 0,
          }
        : { says: [`${operation} goes on at ${percent} %, and takes its next step when nothing is missing.`], percent }
    case 'stop':
      return {
        says: [
          `The legacy service answers all clients of ${operation} at once. v1 answers nobody until somebody resumes, which begins again at 0 %.`,
        ],
        percent: 0,
      }
  }
}
