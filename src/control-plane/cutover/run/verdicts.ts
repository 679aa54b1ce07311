import { createHash } from 'node:crypto'
import { lineageKey } from '../../evidence/lineage.ts'
import type { OperationReport } from '../../evidence/tally/operation-report.ts'
import type { DifferenceReport } from '../../evidence/tally/report-differences.ts'
import type { NewEntry } from '../audit.ts'

/** What the comparison last said of each operation, and whether a step may rest on it. */
export interface Verdicts {
  of(operation: string): Judged | undefined
  /**
   * Takes the comparison's present results for these operations. An operation without a result has no evidence, even if it had some before.
   * @param isWhole whether they hold what other processes found; otherwise no step may rest on them.
   */
  take(operations: Iterable<string>, all: readonly Judged[], isWhole: boolean): void
  /** Whether an operation was judged in the last minute, by what other processes have found lately, and after the last outage. */
  isFresh(operation: string): boolean
  /** The store has failed: no step may rest on any verdict until now, nor on anything read until others have stored what they found meanwhile. */
  distrust(): void
  /** Returns how old what other processes found may be for a step; ms. */
  maxAgeMs(): number
}

/** No step is taken on a verdict that is older. Operations are judged every few seconds. */
const JUDGED_MS = 60_000
/** How old the results of other processes may be for a step. This process's own results count at once. */
const HEARD_MS = 30_000
/** How long after an outage other processes may need to store what they found during it. */
const RETURN_MS = 10_000

/** @param monotonic returns ms. */
export function knownVerdicts(monotonic: () => number): Verdicts {
  const judged = new Map<string, Judged>()
  /** When each operation was judged; ms. */
  const judgedAt = new Map<string, number>()
  /** From when on what is read holds what others found during the last outage; ms. */
  let trustedFrom = Number.NEGATIVE_INFINITY
  return {
    of: (operation) => judged.get(operation),
    take(operations, all, isWhole) {
      const now = new Map(all.map((one) => [one.operation, one]))
      for (const operation of operations) {
        const one = now.get(operation)
        if (one === undefined) judged.delete(operation)
        else judged.set(operation, one)
        if (isWhole && monotonic() >= trustedFrom) judgedAt.set(operation, monotonic())
      }
    },
    isFresh: (operation) => monotonic() - (judgedAt.get(operation) ?? Number.NEGATIVE_INFINITY) < JUDGED_MS,
    distrust() {
      judgedAt.clear()
      trustedFrom = monotonic() + RETURN_MS
    },
    maxAgeMs: () => Math.max(Math.min(HEARD_MS, monotonic() - trustedFrom), 0),
  }
}

/** The part of an operation's comparison report that plans depend on. */
export type Judged = Pick<OperationReport, 'operation' | 'verdict' | 'missing' | 'lineage' | 'differences'>

/** The most differences noted at once: more would add nothing. */
const MOST = 10

/**
 * Returns an entry for each kind of difference that an operation shows for the first time since its verdict was `ready`. Its id is the same on
 * every replica and after every restart, so that it is stored and sent once.
 */
export function newDifferences(before: Judged | undefined, now: Judged): readonly NewEntry[] {
  if (before?.verdict !== 'ready' || now.verdict !== 'not ready') return []
  const known = new Set(namesOf(before))
  const { operation, lineage } = now
  return namesOf(now)
    .filter((name) => !known.has(name))
    .slice(0, MOST)
    .map((name) => ({
      id: createHash('sha256')
        .update(JSON.stringify([operation, lineageKey(lineage), name]))
        .digest('hex')
        .slice(0, 32),
      ...{ event: 'new-difference', operation, by: 'auto', from: before.verdict, to: now.verdict },
      why: `answers differ in a way that counts and was not seen before: ${name}`,
      ...{ lineage: JSON.stringify(lineage), counts: '{}' },
    }))
}

/** Returns the differences that count: `changed data[].priceTry`. */
const namesOf = ({ differences }: Judged): readonly string[] =>
  differences.flatMap((found) => (found.ignored === null ? [nameOf(found)] : []))

/** Returns the name of a difference: `changed data[].priceTry`. */
export const nameOf = ({ kind, path }: Pick<DifferenceReport, 'kind' | 'path'>): string =>
  `${kind} ${path}`.trim().slice(0, 200)
