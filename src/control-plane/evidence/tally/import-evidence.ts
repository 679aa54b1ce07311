import { inflateRawSync } from 'node:zlib'
import type { Import } from '../../store/engine.ts'
import { addDocuments } from '../../store/ledger.ts'
import { query, type Work } from '../../store/sql.ts'
import { StateError } from '../../store/state-error.ts'
import { EVIDENCE, evidenceDelta, evidenceKey } from './evidence-db.ts'
import { countsOfVersion1 } from './import-version-1.ts'
import { type OperationCounts, operationCounts } from './operation-counts.ts'
import { sumOfCounts } from './operation-state.ts'

/**
 * Copies the results that gateways before the ledger stored: a file has a row for each lineage; a database has one for each process as
 * well, and portions that are not in these rows yet.
 * @throws StateError if a row cannot be read; nothing is changed then.
 */
export const importEvidence: Import = function* (now, hasTable) {
  const all = [
    ...(hasTable('counts') ? yield* countsInFile() : []),
    ...(hasTable('tally') ? yield* countsInDatabase() : []),
    ...(hasTable('portion') ? yield* countsInPortions() : []),
  ]
  const sums = Map.groupBy(all, evidenceKey)
  yield* addDocuments(
    EVIDENCE,
    Array.from(sums.values(), (each) => evidenceDelta(sumOfCounts(each))),
    now,
  )
}

function* countsInFile(): Work<readonly OperationCounts[]> {
  const columns = yield* query<{ readonly name: string }>("SELECT name FROM pragma_table_info('counts')")
  if (!columns.some(({ name }) => name === 'lineage')) return yield* countsOfVersion1()
  const rows = yield* query<{ readonly operation: string; readonly counts: string }>(
    'SELECT operation, counts FROM counts',
  )
  return rows.map(({ operation, counts }) => read('counts', operation, () => operationCounts.parse(JSON.parse(counts))))
}

type TallyRow = { readonly operation: string; readonly counts: object } & Readonly<
  Record<'units' | 'differing', Buffer | null>
>

function* countsInDatabase(): Work<readonly OperationCounts[]> {
  const all: TallyRow[] = []
  // One operation at a time: each row may have 150 KB, and a statement must not take long.
  for (const { operation } of yield* query<{ readonly operation: string }>('SELECT DISTINCT operation FROM tally')) {
    const of = 'SELECT operation, counts, units, differing_units AS differing FROM tally WHERE operation = $1'
    all.push(...(yield* query<TallyRow>(of, operation)))
  }
  return all.map(({ operation, counts, units, differing }) =>
    read('tally', operation, () =>
      operationCounts.parse({ ...counts, units: hashesIn(units), differingUnits: hashesIn(differing) }),
    ),
  )
}

function* countsInPortions(): Work<readonly OperationCounts[]> {
  const rows = yield* query<{ readonly replica: string; readonly counts: Buffer }>(
    'SELECT replica, counts FROM portion',
  )
  return rows.flatMap(({ replica, counts }) =>
    read('portion', `replica ${replica}`, () =>
      operationCounts.array().parse(JSON.parse(inflateRawSync(counts).toString())),
    ),
  )
}

/** The size of a hash. */
const HASH_BYTES = 6

const hashesIn = (bytes: Buffer | null): readonly number[] =>
  Array.from({ length: (bytes?.length ?? 0) / HASH_BYTES }, (_, at) =>
    (bytes as Buffer).readUIntBE(at * HASH_BYTES, HASH_BYTES),
  )

function read<Result>(table: string, of: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StateError(
      `a row of the table ${table}, of ${of}, cannot be read (${reason}): restore it from a backup, or delete it`,
      false,
      { cause },
    )
  }
}
