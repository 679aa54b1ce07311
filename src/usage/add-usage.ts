import { type Marks, MOST_AGENTS, type Seen, type UsageCounts } from './usage.ts'

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
  let [calls, other] = [0, 0]
  for (const seen of all) {
    calls += seen.calls
    other += seen.other
  }
  return {
    calls,
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

type Kind = Exclude<keyof Seen, 'calls' | 'other'>

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
