import type { Settled } from './proposed-lines.ts'

/** What comparisons with the certain proposals found, beside the same comparisons without. Plain data. */
export interface Trial {
  /** When it began, ISO 8601. */
  readonly since: string
  /** Comparisons in which nothing differed with the proposals, and in which something did. */
  readonly matched: number
  readonly mismatched: number
  /** Differences that the proposals settled, and those that they caused. */
  readonly settled: readonly Settled[]
  readonly caused: readonly Settled[]
}

/** The differences that count in one comparison, without the certain lines and with them. */
export interface TrialResult {
  readonly without: readonly Settled[]
  readonly withThem: readonly Settled[]
}

/** The most differences of each list. */
const MOST = 200

/**
 * Adds one comparison to a trial.
 * @param before undefined: it is the first one. @param now when it was made.
 */
export function trialOf(before: Trial | undefined, now: Date, { without, withThem }: TrialResult): Trial {
  const { since, matched, mismatched, settled, caused } = before ?? {
    ...{ since: now.toISOString(), matched: 0, mismatched: 0, settled: [], caused: [] },
  }
  return {
    since,
    matched: matched + (withThem.length === 0 ? 1 : 0),
    mismatched: mismatched + (withThem.length === 0 ? 0 : 1),
    settled: joined(settled, lacking(without, withThem)),
    caused: joined(caused, lacking(withThem, without)),
  }
}

const keyOf = ({ kind, path }: Settled): string => `${kind} ${path}`

/** Returns those that are not among others. */
function lacking(some: readonly Settled[], others: readonly Settled[]): readonly Settled[] {
  const keys = new Set(others.map(keyOf))
  return some.filter((each) => !keys.has(keyOf(each)))
}

function joined(one: readonly Settled[], other: readonly Settled[]): readonly Settled[] {
  const all = new Map([...one, ...other].map(({ kind, path }) => [keyOf({ kind, path }), { kind, path }]))
  return [...all.values()].slice(0, MOST)
}
