import { UNKNOWN } from '../../observe/traffic.ts'
import {
  addCalls,
  addMarks,
  type BrownoutCalls,
  type BrownoutMarks,
  type BrownoutQuery,
  type Counts,
  newCounts,
} from './brownout-calls.ts'

/** A client's calls, by the brownout's key. */
export interface BrownedClient {
  readonly client: string
  readonly calls: ReadonlyMap<string, BrownoutCalls>
}

/** Adds up by client what rows say about brownouts, in any order. Days are numbers of days since 1970-01-01. */
export interface BrownoutSums {
  /** Adds the calls of an operation. */
  calls(client: string, operation: string, day: number, calls: number): void
  /** Adds what calls were to a brownout; ignores a brownout that is not asked for. */
  marks(client: string, day: number, key: string, marks: BrownoutMarks): void
  clients(): readonly BrownedClient[]
}

const EVERYTHING = '*'

export function sumBrownouts(queries: readonly BrownoutQuery[]): BrownoutSums {
  const byKey = new Map(queries.map((query) => [query.key, query]))
  const concerned = queries.map((query) => ({ query, has: operationsOf(query) }))
  const sums = new Map<string, Map<string, Counts>>()
  const countsOf = (client: string, key: string): Counts => {
    const ofClient = sums.get(client) ?? new Map<string, Counts>()
    sums.set(client, ofClient)
    const counts = ofClient.get(key) ?? newCounts()
    ofClient.set(key, counts)
    return counts
  }
  return {
    calls(client, operation, day, calls) {
      for (const { query, has } of concerned)
        if (has(operation)) addCalls(countsOf(client, query.key), query, day, calls)
    },
    marks(client, day, key, marks) {
      const query = byKey.get(key)
      if (query !== undefined) addMarks(countsOf(client, key), query, day, marks)
    },
    clients: () => Array.from(sums, ([client, calls]) => ({ client, calls })),
  }
}

/** Paths of no operation are never refused, so they do not count either. */
function operationsOf({ operations }: BrownoutQuery): (operation: string) => boolean {
  if (operations.includes(EVERYTHING)) return (operation) => operation !== UNKNOWN
  const named = new Set(operations)
  return (operation) => named.has(operation)
}
