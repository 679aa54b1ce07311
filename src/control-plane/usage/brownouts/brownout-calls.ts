import { UNKNOWN } from '../../../observe/traffic.ts'
import { beginningDay } from '../../rollout/brownout-rule.ts'

/** What a call was to a brownout: refused by it, let through while it was under way, or made since it ended. */
export type BrownoutMark = 'refused' | 'passed' | 'since'
/** How many calls were what to a brownout. */
export type BrownoutMarks = Readonly<Record<BrownoutMark, number>>
/** By the brownout's key. */
export type MarksByBrownout = Readonly<Record<string, BrownoutMarks>>

/** A brownout whose calls are asked for. */
export interface BrownoutQuery {
  /** The name under which its calls are counted. */
  readonly key: string
  /** Ids, or `*`. */
  readonly operations: readonly string[]
  /** When it begins; ms since the epoch. */
  readonly from: number
}

/** Calls of a brownout's operations: in the 30 days before it began, refused by it, and since it ended. */
export interface BrownoutCalls {
  readonly before: number
  readonly refused: number
  readonly since: number
}

export type Counts = { -readonly [Name in keyof BrownoutCalls]: BrownoutCalls[Name] }

/** How many days before a brownout count, with that of its beginning. */
const DAYS_BEFORE = 30

/** Returns the first day whose calls count as before a brownout. */
export const firstDayBefore = (from: number): number => beginningDay(from) - DAYS_BEFORE + 1
/** Returns the first day on which all calls came after its end. */
export const firstDaySince = (from: number): number => beginningDay(from) + 2

export const newCounts = (): Counts => ({ before: 0, refused: 0, since: 0 })

/** Adds the calls of a day: those of the beginning's day as before, later ones as since, until `addMarks` says what they were. */
function addCalls(to: Counts, { from }: BrownoutQuery, day: number, calls: number): void {
  if (day > beginningDay(from)) to.since += calls
  else if (day >= firstDayBefore(from)) to.before += calls
}

/** Adds what the calls of a day were to a brownout. */
function addMarks(to: Counts, { from }: BrownoutQuery, day: number, marks: BrownoutMarks): void {
  const { refused, passed, since } = marks
  // A call that came on one of these days and was answered later counts among all calls of the later day.
  if (day < beginningDay(from) || day >= firstDaySince(from)) return
  to[day === beginningDay(from) ? 'before' : 'since'] -= refused + passed + since
  to.refused += refused
  to.since += since
}

/** Adds counts, in any order. */
export function addCounts(to: Counts, { before, refused, since }: BrownoutCalls): void {
  to.before += before
  to.refused += refused
  to.since += since
}

/** Adds the marks of two rows, in any order. */
export function addMarksOf(one: MarksByBrownout | undefined, other: MarksByBrownout | undefined) {
  if (one === undefined || other === undefined) return one ?? other
  const sum: Record<string, BrownoutMarks> = { ...one }
  for (const [key, { refused, passed, since }] of Object.entries(other)) {
    const there = one[key] ?? { refused: 0, passed: 0, since: 0 }
    sum[key] = { refused: there.refused + refused, passed: there.passed + passed, since: there.since + since }
  }
  return sum
}

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
