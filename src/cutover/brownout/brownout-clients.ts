import { type Brownout, concerns, mayHit } from './brownout.ts'

/** Calls of an operation by a client so far. */
export interface UsageRow {
  readonly operation: string
  readonly client: string
  readonly calls: number
}

/** Calls of a brownout's operations: before it began, refused by it, and since it ended. */
export interface ClientCalls {
  readonly before: number
  readonly refused: number
  readonly since: number
}

/** The calls of each client, and of all others together: clients without a known name, and those beyond 1,000. */
export interface CallsByClient {
  readonly clients: readonly (ClientCalls & { readonly client: string })[]
  readonly others: ClientCalls
}

/** An answered call. */
export interface BrownedCall {
  readonly operation: string | undefined
  readonly client: string
  /** The number of the brownout that refused it. */
  readonly brownout: number | undefined
  /** When it arrived; ms since the epoch. */
  readonly at: number
}

/** Counts by client the calls before a brownout, those refused, and those since; in bounded memory. */
export interface BrownoutClients {
  /** Counts a call before the usage does. */
  count(call: BrownedCall): void
  /** Sets the brownouts of the file. Those that are still in it keep their counts. */
  watch(brownouts: readonly Brownout[]): void
  /** Remembers who has called so far, for brownouts that have begun by now. */
  begin(now: number): void
  /** Returns what was counted for a brownout that has begun. For one to come, returns the clients it may hit, by the usage so far. */
  of(brownout: Brownout, usage: readonly UsageRow[]): CallsByClient
}

type Counts = { -readonly [Name in keyof ClientCalls]: ClientCalls[Name] }

interface Begun {
  brownout: Brownout
  readonly clients: Map<string, Counts>
  readonly others: Counts
}

const MOST_CLIENTS = 1_000
/** Only the latest ones are still counted. */
const MOST_BROWNOUTS = 50

export function brownoutClients(usage: () => readonly UsageRow[], notClients: readonly string[]): BrownoutClients {
  /** The key is what stays the same when the file changes. */
  let begun = new Map<string, Begun>()
  let toBegin: readonly Brownout[] = []
  let nextFrom = Number.POSITIVE_INFINITY

  const usedSoFar = (brownout: Brownout, rows: readonly UsageRow[], isHit: (client: string) => boolean): Begun => {
    const counted: Begun = { brownout, clients: new Map(), others: newCounts() }
    // Whether a client is hit takes a hash: once per client, not per row.
    const hit = new Map<string, boolean>(notClients.map((name) => [name, true]))
    for (const { operation, client, calls } of rows) {
      if (!concerns(brownout.rule, operation)) continue
      const isConcerned = hit.get(client) ?? isHit(client)
      hit.set(client, isConcerned)
      if (isConcerned) countsOf(counted, client).before += calls
    }
    return counted
  }
  const countsOf = ({ clients, others }: Begun, client: string): Counts => {
    const existing = clients.get(client)
    if (existing !== undefined) return existing
    if (clients.size >= MOST_CLIENTS || notClients.includes(client)) return others
    const counts = newCounts()
    clients.set(client, counts)
    return counts
  }
  const begin = (now: number): void => {
    if (now < nextFrom) return
    const rows = usage()
    for (const brownout of toBegin) {
      if (brownout.from <= now) begun.set(keyOf(brownout), usedSoFar(brownout, rows, everybody))
    }
    const latest = [...begun].sort(([, a], [, b]) => a.brownout.from - b.brownout.from).slice(-MOST_BROWNOUTS)
    begun = new Map(latest)
    toBegin = toBegin.filter(({ from }) => from > now)
    nextFrom = Math.min(...toBegin.map(({ from }) => from))
  }
  return {
    count({ operation, client, brownout: n, at }) {
      begin(at)
      if (begun.size === 0 || operation === undefined) return
      for (const one of begun.values()) {
        const { brownout } = one
        if (!concerns(brownout.rule, operation)) continue
        if (n === brownout.n) countsOf(one, client).refused++
        else if (at >= brownout.until) countsOf(one, client).since++
      }
    },
    watch(brownouts) {
      const before = begun
      begun = new Map()
      for (const brownout of brownouts) {
        const known = before.get(keyOf(brownout))
        if (known !== undefined) begun.set(keyOf(brownout), Object.assign(known, { brownout }))
      }
      toBegin = brownouts.filter((brownout) => !begun.has(keyOf(brownout)))
      nextFrom = Math.min(...toBegin.map(({ from }) => from))
    },
    begin,
    of(brownout, rows) {
      const counted = begun.get(keyOf(brownout)) ?? usedSoFar(brownout, rows, (client) => mayHit(brownout.rule, client))
      return {
        clients: Array.from(counted.clients, ([client, counts]) => ({ client, ...counts })).sort(
          (a, b) => b.since - a.since || b.refused - a.refused || b.before - a.before,
        ),
        others: { ...counted.others },
      }
    },
  }
}

const everybody = (): boolean => true

const newCounts = (): Counts => ({ before: 0, refused: 0, since: 0 })

const keyOf = ({ rule: { from, operations } }: Brownout): string => JSON.stringify([from, operations])
