import { begunAt, type Engine } from '../../store/engine.ts'
import { addDocuments, type Delta, type Kind, LedgerCopy, once } from '../../store/ledger.ts'
import { KEPT_DAYS, type Kept } from '../../store/retention.ts'
import { isoOf, query, type Work } from '../../store/sql.ts'
import { lineageKey } from '../lineage.ts'
import { COMPARED_DAYS, comparedDelta, storedDays } from './compared-days.ts'
import { lineage, type OperationCounts, operationCounts } from './operation-counts.ts'
import { sumOfCounts } from './operation-state.ts'
import { MOST_RESETS, type Reset } from './resets.ts'
import type { StateStore } from './state-store.ts'
import { MOST_LINEAGES } from './tally.ts'
import type { Verdict } from './verdict.ts'

/** Counts by operation and lineage. */
export const EVIDENCE: Kind<OperationCounts> = {
  name: 'evidence',
  add: (one, other) => sumOfCounts([one, other]),
  parse: (json) => operationCounts.parse(json),
  most: MOST_LINEAGES,
}

/** Results of versions that no longer answer are deleted, but not the last ones of an operation. */
export const KEPT_EVIDENCE: Kept = {
  ...{ table: 'ledger', key: 'kind, key', column: 'at', days: KEPT_DAYS, where: "kind = 'evidence'" },
  unless: `NOT EXISTS (
    SELECT 1 FROM ledger AS later WHERE later.kind = old.kind AND later.part = old.part AND later.number > old.number)`,
}

/** Returns a text that is equal for counts of the same lineage of the same operation. */
export const evidenceKey = ({ operation, lineage }: Pick<OperationCounts, 'operation' | 'lineage'>): string =>
  `${operation} ${lineageKey(lineage)}`

export const evidenceDelta = (counts: OperationCounts): Delta<OperationCounts> => ({
  key: evidenceKey(counts),
  part: counts.operation,
  doc: counts,
})

/** The part of a `StateStore` that works on the database. */
export type EvidenceDb = Pick<StateStore, 'open' | 'add' | 'keep' | 'changes' | 'days' | 'resets'>

/** @param process identifies this process among all that store; new at each start. */
export function evidenceDb(engine: Pick<Engine, 'transaction' | 'announce'>, process: string): EvidenceDb {
  const copy = new LedgerCopy(EVIDENCE)
  return {
    open: () => engine.transaction(begunAt, 'read'),
    async add({ number, operations, days }) {
      let added: (() => void) | undefined
      await engine.transaction((now) =>
        once({ process, kind: EVIDENCE.name, number }, now, function* () {
          added = yield* copy.add(operations.map(evidenceDelta), now)
          yield* addDocuments(COMPARED_DAYS, days.map(comparedDelta), now)
        }),
      )
      added?.()
    },
    async keep(resets) {
      if (resets.length === 0) return
      await engine.transaction(function* () {
        if (yield* addResets(resets)) yield* engine.announce()
      })
    },
    changes: async () => (await engine.transaction(() => copy.changes(), 'read'))(),
    days: () => storedDays(engine),
    resets: () => engine.transaction(readResets, 'read'),
  }
}

const EVENT = 'evidence-reset'

const ADD = `
  INSERT INTO audit (id, event, operation, at, "by", "from", "to", why, lineage, requests)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING RETURNING id`

const LATEST = `
  SELECT id, operation, at, "by", "from", why, lineage, requests FROM (
    SELECT audit.*, row_number() OVER (PARTITION BY operation ORDER BY at DESC) AS nth FROM audit WHERE event = $1) AS ordered
  WHERE nth <= ${MOST_RESETS} ORDER BY at`

/** Adds resets; a reset that is stored already stays as it is. Returns whether any was added. */
export function* addResets(resets: readonly Reset[]): Work<boolean> {
  let isAdded = false
  // All processes use the same order, so that they cannot deadlock on each other's rows.
  for (const { id, operation, at, by, why, before } of resets.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const said = [before.verdict, 'insufficient data', why, JSON.stringify(before.lineage), before.requests]
    const added = yield* query(ADD, id, EVENT, operation, at, by, ...said)
    isAdded ||= added.length > 0
  }
  return isAdded
}

type ResetRow = Readonly<Record<'id' | 'operation' | 'by' | 'from' | 'why' | 'lineage', string>> & {
  readonly at: unknown
  readonly requests: number | string
}

/** Returns the latest resets of each operation. */
export function* readResets(): Work<readonly Reset[]> {
  const rows = yield* query<ResetRow>(LATEST, EVENT)
  return rows.map((row) => ({
    ...{ id: row.id, operation: row.operation, at: isoOf(row.at), by: row.by, why: row.why },
    before: {
      lineage: lineage.parse(JSON.parse(row.lineage)),
      verdict: row.from as Verdict,
      requests: Number(row.requests),
    },
  }))
}
