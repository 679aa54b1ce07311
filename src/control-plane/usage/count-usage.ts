import { DAY_MS, dayOf } from '../../common/time.ts'
import type { Answerer } from '../../exchange/exchange.ts'
import { OTHERS, UNIDENTIFIED, UNKNOWN } from '../../observe/traffic.ts'
import type { BrownoutMark, BrownoutMarks } from './brownouts/brownout-calls.ts'
import { addSeen, MOST_AGENTS, MOST_CLIENTS, NOTHING_SEEN, OTHER, type Seen, type UsageRow } from './usage.ts'

/** An answered call. */
export interface UsedCall {
  /** When it was answered, by the wall clock; ms since the epoch. */
  readonly at: number
  /** Undefined if no mapping has its path. */
  readonly operation: string | undefined
  readonly client: string
  readonly status: number
  /** v1's error code; undefined if v1 gave none. */
  readonly code: string | undefined
  /** Undefined if a brownout refused the call, so that neither side was asked. */
  readonly answeredBy: Answerer | undefined
  /** Whether the client chose the side; unset: it did not. */
  readonly isChosen?: boolean | undefined
  /** The client's user agent; undefined if it sent none. */
  readonly agent: string | undefined
}

/** Counts who calls what, in bounded memory, until the counts are taken to be stored. */
export interface UsageCounter {
  /** Counts a call, synchronously and in well under a microsecond. */
  count(call: UsedCall): void
  /** Adds what a counted call showed. */
  see(call: Pick<UsedCall, 'at' | 'client'> & { readonly operation: string }, seen: Seen): void
  /** Counts what a counted call was to a brownout, by its key. */
  mark(call: Pick<UsedCall, 'at' | 'client'> & { readonly operation: string }, key: string, mark: BrownoutMark): void
  /** Returns the oldest rows, at most `most`, and forgets them. */
  take(most: number): readonly UsageRow[]
  /** Returns all rows that are not taken yet. */
  rows(): readonly UsageRow[]
  /** Returns whether all rows were taken. */
  isEmpty(): boolean
}

/** How many rows wait while nothing can be stored: a day's clients and operations. After that, new rows are counted under `OTHERS` only. */
const MOST_ROWS = 10_000
/** The most statuses and codes of a row. Any others count as `OTHER`. */
const MOST_STATUSES = 20
/** Clients with longer names count as `OTHERS`. */
const LONGEST_NAME = 200
/** The most brownouts of a row. Marks of any others are not counted. */
const MOST_BROWNOUTS = 100

/** The counts of a client's operation within a day. */
interface Row {
  readonly day: string
  readonly client: string
  readonly operation: number
  /** The list that holds the row. */
  readonly of: (Row | undefined)[]
  calls: number
  clientErrors: number
  serverErrors: number
  byV1: number
  byLegacy: number
  chosen: number
  firstAt: number
  lastAt: number
  agents: string[]
  readonly statuses: Map<number | string, number>
  seen: Seen
  brownouts: Map<string, Record<BrownoutMark, number>> | undefined
}

/** @param operations calls of any other operation are counted under `UNKNOWN`. */
export function countUsage(operations: readonly string[]): UsageCounter {
  const names = [...operations, UNKNOWN]
  const numbers = new Map(names.map((name, number) => [name, number]))
  const unknown = names.length - 1
  /** The day that is being counted, and when it begins. */
  let day = ''
  let begins = Number.NaN
  /** Today's clients, each with the rows not taken yet, by the number of the operation. */
  let clients = new Map<string, (Row | undefined)[]>()
  let others: (Row | undefined)[] = []
  /** In the order in which they began. */
  let waiting: Row[] = []
  /** The key of the last error with a code. Most are the same as the one before, and a new text would have to be hashed to be looked up. */
  let last = { status: 0, code: '', key: '' }

  const keyOf = (status: number, code: string): string => {
    if (status !== last.status || code !== last.code) last = { status, code, key: `${status} ${code}` }
    return last.key
  }
  const turnTo = (at: number): void => {
    begins = Math.floor(at / DAY_MS) * DAY_MS
    day = dayOf(begins)
    others = []
    clients = new Map([[OTHERS, others]])
  }
  const rowsOf = (client: string): (Row | undefined)[] => {
    const existing = clients.get(client)
    if (existing !== undefined) return existing
    // `OTHERS` is one of the clients in the map.
    const isFull = clients.size > MOST_CLIENTS && client !== UNIDENTIFIED
    if (isFull || client.length > LONGEST_NAME) return others
    const rows: (Row | undefined)[] = []
    clients.set(client, rows)
    return rows
  }
  const begin = (rows: (Row | undefined)[], client: string, operation: number, at: number): Row => {
    const of = waiting.length < MOST_ROWS ? rows : others
    const existing = of[operation]
    if (existing !== undefined) return existing
    const row: Row = {
      ...{ day, client: of === others ? OTHERS : client, operation, of },
      ...{ calls: 0, clientErrors: 0, serverErrors: 0, byV1: 0, byLegacy: 0, chosen: 0, firstAt: at, lastAt: at },
      ...{ agents: [], statuses: new Map(), seen: NOTHING_SEEN, brownouts: undefined },
    }
    of[operation] = row
    waiting.push(row)
    return row
  }
  const rowOf = (at: number, client: string, operation: string | undefined): Row => {
    // Also at the first call, and after the clock is set back.
    if (!(at >= begins && at < begins + DAY_MS)) turnTo(at)
    const number = operation === undefined ? unknown : (numbers.get(operation) ?? unknown)
    const rows = rowsOf(client)
    return rows[number] ?? begin(rows, client, number, at)
  }
  const written = ({
    day,
    client,
    operation,
    statuses,
    seen,
    brownouts,
    firstAt,
    lastAt,
    ...counts
  }: Row): UsageRow => ({
    ...{ day, client, operation: names[operation] ?? UNKNOWN },
    ...{ calls: counts.calls, clientErrors: counts.clientErrors, serverErrors: counts.serverErrors },
    ...{ byV1: counts.byV1, byLegacy: counts.byLegacy },
    ...{ firstAt: new Date(firstAt).toISOString(), lastAt: new Date(lastAt).toISOString() },
    agents: [...counts.agents],
    seen: {
      ...{ ...seen, statuses: Object.fromEntries(statuses) },
      ...(counts.chosen > 0 && { chosen: counts.chosen }),
    },
    ...(brownouts !== undefined && { brownouts: marksIn(brownouts) }),
  })
  return {
    count({ at, client, operation, status, code, answeredBy, isChosen, agent }) {
      const row = rowOf(at, client, operation)
      row.calls++
      if (status >= 500) row.serverErrors++
      else if (status >= 400) row.clientErrors++
      if (answeredBy === 'v1') row.byV1++
      else if (answeredBy === 'legacy') row.byLegacy++
      if (isChosen === true) row.chosen++
      if (at > row.lastAt) row.lastAt = at
      if (agent !== undefined && agent !== row.agents[0]) noteAgent(row.agents, agent)
      // Guides say how the services answered, and a brownout's refusal is an answer of neither.
      if (answeredBy === undefined) return
      const { statuses } = row
      const key = code === undefined ? status : keyOf(status, code)
      const so = statuses.get(key)
      if (so !== undefined) statuses.set(key, so + 1)
      else beginStatus(statuses, key)
    },
    see({ at, client, operation }, seen) {
      const row = rowOf(at, client, operation)
      row.seen = addSeen(row.seen, seen)
    },
    mark({ at, client, operation }, key, mark) {
      const row = rowOf(at, client, operation)
      row.brownouts ??= new Map()
      const marks = row.brownouts.get(key)
      if (marks !== undefined) marks[mark]++
      else if (row.brownouts.size < MOST_BROWNOUTS) row.brownouts.set(key, { ...NO_MARKS, [mark]: 1 })
    },
    take(most) {
      const taken = waiting.slice(0, most)
      waiting = waiting.slice(most)
      for (const { of, operation } of taken) of[operation] = undefined
      return taken.map(written)
    },
    rows: () => waiting.map(written),
    isEmpty: () => waiting.length === 0,
  }
}

const NO_MARKS: BrownoutMarks = { refused: 0, passed: 0, since: 0 }

/** A copy, because the row may be counted on. */
const marksIn = (brownouts: NonNullable<Row['brownouts']>): NonNullable<UsageRow['brownouts']> =>
  Object.fromEntries(Array.from(brownouts, ([key, marks]) => [key, { ...marks }]))

function beginStatus(statuses: Row['statuses'], key: number | string): void {
  // One place is left for all others.
  const known = statuses.size < MOST_STATUSES - 1 ? key : OTHER
  statuses.set(known, (statuses.get(known) ?? 0) + 1)
}

/** Puts an agent first. */
function noteAgent(agents: string[], agent: string): void {
  const at = agents.indexOf(agent)
  // A copy: a slice would keep the whole longer text in memory.
  const kept = at === -1 ? Buffer.from(agent).toString() : (agents.splice(at, 1)[0] as string)
  agents.unshift(kept)
  if (agents.length > MOST_AGENTS) agents.length = MOST_AGENTS
}
