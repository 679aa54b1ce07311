import { createHash } from 'node:crypto'
import { lineageKey } from '../../compare/lineage.ts'
import type { OperationReport } from '../../compare/tally/operation-report.ts'
import type { NewEntry } from '../event.ts'

/** The part of an operation's comparison report that plans depend on. */
export type Judged = Pick<OperationReport, 'operation' | 'verdict' | 'lineage' | 'differences'>

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
  differences.flatMap(({ kind, path, ignored }) => (ignored === null ? [`${kind} ${path}`.trim().slice(0, 200)] : []))
