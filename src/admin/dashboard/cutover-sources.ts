import type { Order } from '../../cutover/decide/order.ts'
import type { CutoverSource } from '../serve-cutover.ts'

/** What the pages Switch-off and Audit show, and what their buttons do. */
export interface CutoverSources extends CutoverSource {
  /** When the legacy interface ends; undefined if `SUNSET` is not set. */
  readonly sunset: Date | undefined
  /** Returns why an order would be refused now, in words; undefined if it would be carried out. */
  readonly refusalOf: (order: Pick<Order, 'operation' | 'action'>) => string | undefined
  /** Returns a client's place, from 0 up to 100: v1 answers those whose place is below an operation's percentage. */
  readonly placeOf: (client: string) => number
}
