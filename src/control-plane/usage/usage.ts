import type { MarksByBrownout } from './brownouts/brownout-calls.ts'

/** A client's calls of one operation within a day, or a span of days. */
export interface UsageCounts {
  readonly calls: number
  /** Statuses 400 to 499, and 500 and above. */
  readonly clientErrors: number
  readonly serverErrors: number
  /** Which side answered; neither did where a brownout refused the call. */
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601. */
  readonly firstAt: string
  readonly lastAt: string
  /** The latest, `MOST_AGENTS` at most. */
  readonly agents: readonly string[]
  readonly seen: Seen
}

/** The key of a stored row. */
export interface UsageKey {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  readonly client: string
  readonly operation: string
}

/** A stored row: a client's calls of one operation within a day. */
export interface UsageRow extends UsageKey, UsageCounts {
  /** What its calls were to brownouts that began on this day or the day before; undefined: none had begun. */
  readonly brownouts?: MarksByBrownout | undefined
}

/** A client's calls of one operation since a day. */
export interface OperationUsage extends UsageCounts {
  readonly client: string
  readonly operation: string
}

/** How many calls of an operation a client made within seven days. */
export interface WeekOfUsage {
  readonly client: string
  readonly operation: string
  /** 0: the seven days that end today; 1: those before; up to 11. */
  readonly weeksAgo: number
  readonly calls: number
}

/** The most user agents kept per client and operation. */
export const MOST_AGENTS = 5
/** The most clients counted separately per day. Any others count together, as `OTHERS` of `observe/traffic.ts`. */
export const MOST_CLIENTS = 10_000
/** The longest span of days that is reported. */
export const MOST_DAYS = 400

/** How many calls showed what, by name. */
export type Marks = Readonly<Record<string, number>>

/**
 * What calls showed: names of the mapping, statuses and codes, never a value. Not every call of a busy client is looked at; `calls`
 * says how many were.
 */
export interface Seen {
  readonly calls: number
  /** Calls whose client chose the side, among all, whether looked at or not. Unset: none. */
  readonly chosen?: number | undefined
  /** Request members with a value, by the legacy path of their mapping line. */
  readonly members: Marks
  /** Request members that were sent as null or empty. */
  readonly empty: Marks
  /** Request members with a value that v1 removed. */
  readonly removed: Marks
  /**
   * Forms of values that the mapping does not read, with what happens to them (`usage/value-forms.ts`):
   * `dateAtBetween.startAt: refused: 99.99.9999`. Unset: none.
   */
  readonly forms?: Marks | undefined
  /** Calls with members that no line of the mapping knows. */
  readonly other: number
  /** Members of successful answers with a value, by the legacy path of their mapping line. */
  readonly answered: Marks
  /** Answers by status, and by status and code where v1 gave one: `200`, `406 CARRIER_IS_NOT_FOUND`. */
  readonly statuses: Marks
  /** Members that a validation error named, by the legacy path of their mapping line; others are `other members`. */
  readonly violations: Marks
  /** The requested languages: `tr`, `en`. */
  readonly languages: Marks
}

export const NOTHING_SEEN: Seen = {
  ...{ calls: 0, members: {}, empty: {}, removed: {}, other: 0 },
  ...{ answered: {}, statuses: {}, violations: {}, languages: {} },
}

/** The most names of one kind, more than any mapping has. Any others count together, as `OTHER`. */
export const MOST_MARKS = 300
/** The most forms of values: clients can send any. */
export const MOST_FORMS = 30
/** Stands for all names beyond the limit. */
export const OTHER = 'other'

/** Adds two counts of the same client and operation, in any order. */
export function addUsage(one: UsageCounts, other: UsageCounts): UsageCounts {
  const [earlier, later] = one.lastAt <= other.lastAt ? [one, other] : [other, one]
  return {
    calls: one.calls + other.calls,
    clientErrors: one.clientErrors + other.clientErrors,
    serverErrors: one.serverErrors + other.serverErrors,
    byV1: one.byV1 + other.byV1,
    byLegacy: one.byLegacy + other.byLegacy,
    firstAt: one.firstAt < other.firstAt ? one.firstAt : other.firstAt,
    lastAt: later.lastAt,
    agents: addAgents(later.agents, earlier.agents),
    seen: addSeen(one.seen, other.seen),
  }
}

/** Returns the user agents of both, those of the later calls first, `MOST_AGENTS` at most. */
export const addAgents = (later: readonly string[], earlier: readonly string[]): readonly string[] =>
  [...new Set([...later, ...earlier])].slice(0, MOST_AGENTS)

/** Adds what calls showed; `MOST_MARKS` names of each kind at most. Written as loops, because documents are added by the hundred thousand. */
export function addSeen(...all: readonly Seen[]): Seen {
  let [calls, other, chosen] = [0, 0, 0]
  for (const seen of all) {
    calls += seen.calls
    other += seen.other
    chosen += seen.chosen ?? 0
  }
  return {
    calls,
    ...(chosen > 0 && { chosen }),
    members: addMarks(all, 'members'),
    empty: addMarks(all, 'empty'),
    removed: addMarks(all, 'removed'),
    ...(hasForms(all) && { forms: addMarks(all, 'forms', MOST_FORMS) }),
    other,
    answered: addMarks(all, 'answered'),
    statuses: addMarks(all, 'statuses'),
    violations: addMarks(all, 'violations'),
    languages: addMarks(all, 'languages'),
  }
}

type Kind = Exclude<keyof Seen, 'calls' | 'chosen' | 'other'>

function hasForms(all: readonly Seen[]): boolean {
  for (const { forms } of all) if (forms !== undefined) return true
  return false
}

function addMarks(all: readonly Seen[], kind: Kind, most = MOST_MARKS): Marks {
  const sums: Record<string, number> = {}
  let many = 0
  for (const seen of all) {
    const marks = seen[kind]
    for (const name in marks) {
      const calls = marks[name] ?? 0
      const there: unknown = sums[name]
      // Inherited members such as `constructor` are not numbers.
      if (typeof there === 'number') sums[name] = there + calls
      // One place is left for `OTHER`.
      else if (many < most - 1) {
        sums[name] = calls
        many++
      } else sums[OTHER] = (sums[OTHER] ?? 0) + calls
    }
  }
  return sums
}
