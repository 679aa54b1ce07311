import { begunAt } from '../../store/engine.ts'
import { documentsAfter } from '../../store/ledger.ts'
import { isoOf, query, type SqlRow, type Work } from '../../store/sql.ts'
import { EVIDENCE, readResets } from './evidence-db.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Reset } from './resets.ts'

/** What a state holds. */
export interface StoredResults {
  readonly since: string
  readonly counts: readonly OperationCounts[]
  readonly resets: readonly Reset[]
  /** The audit, newest first. */
  readonly steps: readonly CutoverStep[]
  /** The share of clients that v1 answers by each plan, by operation. */
  readonly percents: ReadonlyMap<string, number>
}

/** Reads the results of all processes, even while these run. */
export function* storedResults(): Work<StoredResults> {
  const evidence = yield* documentsAfter(EVIDENCE, 0)
  const positions = yield* query<Readonly<Record<'operation' | 'doc', string>>>('SELECT operation, doc FROM position')
  return {
    since: yield* begunAt(),
    counts: evidence.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ doc }) => doc),
    resets: yield* readResets(),
    steps: (yield* query(
      'SELECT at, event, operation, "by", "from", "to", why FROM audit ORDER BY audit.at DESC, audit.id DESC',
    )).map(stepOf),
    percents: new Map(positions.map(({ operation, doc }) => [operation, Number(JSON.parse(doc).percent)])),
  }
}

/** A decision about the cut-over, or something that happened to it: an entry of the audit. */
export interface CutoverStep {
  /** ISO 8601. */
  readonly at: string
  readonly event: string
  /** An operation's id, or `*`. */
  readonly operation: string
  /** `auto`, or who decided. */
  readonly by: string
  readonly from: string
  readonly to: string
  readonly why: string
}

/** Reads a row of the audit. @param at a Date, or ISO 8601. */
export const stepOf = ({ at, ...row }: SqlRow): CutoverStep => {
  const text = (name: string): string => String(row[name])
  return {
    ...{ at: isoOf(at), event: text('event'), operation: text('operation') },
    ...{ by: text('by'), from: text('from'), to: text('to'), why: text('why') },
  }
}
