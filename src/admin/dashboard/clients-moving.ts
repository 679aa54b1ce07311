import type { Side } from '../../exchange/exchange.ts'
import type { OperationUsage } from '../../usage/usage.ts'
import { isNamed } from './client-usage.ts'

/** A change of the percentage of clients that v1 answers. */
interface Change {
  readonly operation: string
  readonly from: number
  readonly to: number
  /** The clients that the rollout file keeps on a side, whatever the percentage. */
  readonly pinned: Readonly<Record<string, Side>>
  /** Returns a client's place, from 0 up to 100. */
  readonly placeOf: (client: string) => number
}

/** The clients known by name that a change concerns. */
export interface ClientsMoving {
  /** How many clients are known to call the operation. */
  readonly known: number
  /** Those that another side will answer. */
  readonly moving: readonly string[]
}

/** Returns those clients of an operation that a change moves to the other side. */
export function clientsMoving(
  rows: readonly Pick<OperationUsage, 'client' | 'operation'>[],
  { operation, from, to, pinned, placeOf }: Change,
): ClientsMoving {
  const known = rows.filter((row) => row.operation === operation && isNamed(row.client)).map(({ client }) => client)
  const isMoved = (client: string): boolean => {
    if (Object.hasOwn(pinned, client)) return false
    const place = placeOf(client)
    return place < from !== place < to
  }
  return { known: known.length, moving: known.filter(isMoved).sort() }
}
