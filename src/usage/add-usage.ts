import { type Marks, MOST_AGENTS, type Seen, type UsageCounts } from './usage.ts'

/** More names than these of one kind count together, as `OTHER`. More than any mapping has. */
export const MOST_MARKS = 300
/** Names that nobody tells apart. */
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

/** Adds what calls showed; `MOST_MARKS` names of each kind at most. */
export const addSeen = (...all: readonly Seen[]): Seen => ({
  calls: sumOf(all.map(({ calls }) => calls)),
  members: addMarks(all.map(({ members }) => members)),
  empty: addMarks(all.map(({ empty }) => empty)),
  removed: addMarks(all.map(({ removed }) => removed)),
  other: sumOf(all.map(({ other }) => other)),
  answered: addMarks(all.map(({ answered }) => answered)),
  statuses: addMarks(all.map(({ statuses }) => statuses)),
  violations: addMarks(all.map(({ violations }) => violations)),
  languages: addMarks(all.map(({ languages }) => languages)),
})

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

function addMarks(all: readonly Marks[]): Marks {
  // Most kinds are empty. The others begin as a copy of the first, which is much faster than name by name.
  const [first = {}, ...others] = all.filter(isAny)
  const many = Object.keys(first).length
  if (others.length === 0 && many <= MOST_MARKS) return first
  return many < MOST_MARKS ? addTo({ ...first }, many, others) : addTo({}, 0, [first, ...others])
}

function isAny(marks: Marks): boolean {
  for (const _ in marks) return true
  return false
}

/** @param many names that are in `sums`, of which fewer than `MOST_MARKS` are told apart. */
function addTo(sums: Record<string, number>, many: number, all: readonly Marks[]): Marks {
  for (const marks of all) {
    for (const name in marks) {
      // One place is left for those that are told apart no more.
      const known = Object.hasOwn(sums, name) || many < MOST_MARKS - 1 ? name : OTHER
      const there = Object.hasOwn(sums, known) ? sums[known] : undefined
      if (there === undefined) many++
      sums[known] = (there ?? 0) + (marks[name] ?? 0)
    }
  }
  return sums
}
