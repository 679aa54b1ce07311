import type { Transaction } from '../../../state/postgres/database.ts'
import type { Process } from '../../../state/postgres/heartbeat.ts'
import { StateError } from '../../../state/state-error.ts'
import { lineageKey } from '../../lineage.ts'
import { operationCounts } from '../operation-counts.ts'
import { APART_MS } from '../period.ts'
import type { KeptCounts } from '../state-store.ts'
import type { Changes } from './own-tally.ts'

/** The name under which the results of all processes that are gone are stored. */
export const OF_ALL: Process = { id: '', incarnation: '' }

const WRITE = `
  INSERT INTO tally AS kept (replica, incarnation, operation, lineage, day, until_ms, counts, units, differing_units)
  SELECT $1, $2, operation, lineage, coalesce($8::date, (now() AT TIME ZONE 'UTC')::date),
    (counts ->> 'until')::float8, counts, decode(units, 'base64'), decode(differing, 'base64')
  FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[]) AS one (operation, lineage, counts, units, differing)
  ON CONFLICT (replica, incarnation, operation, lineage) DO UPDATE SET
    day = excluded.day, until_ms = excluded.until_ms, counts = excluded.counts, units = coalesce(excluded.units, kept.units),
    differing_units = coalesce(excluded.differing_units, kept.differing_units)`

const DELETE = 'DELETE FROM tally WHERE replica = $1 AND incarnation = $2 AND operation = $3 AND lineage = $4'

/**
 * Writes the rows of a process. Writing them again changes nothing.
 * @param day the day of the last results in them; today by default.
 */
export async function writeRows(
  transaction: Transaction,
  { id, incarnation }: Process,
  changes: Changes,
  day: string | null = null,
): Promise<void> {
  const { changed, dropped } = changes
  for (const { operation, lineage } of dropped) {
    await transaction.query(DELETE, [id, incarnation, operation, lineageKey(lineage)])
  }
  const rows = changed.map(({ counts: { units, differingUnits, ...counts }, written }) => ({
    ...{ operation: counts.operation, lineage: lineageKey(counts.lineage), counts: jsonOf(counts) },
    units: ifChanged(units, written?.units),
    differing: ifChanged(differingUnits, written?.differingUnits),
  }))
  for (const some of inParts(rows)) {
    await transaction.query(WRITE, [
      ...[id, incarnation],
      some.map(({ operation }) => operation),
      some.map(({ lineage }) => lineage),
      some.map(({ counts }) => counts),
      some.map(({ units }) => units),
      some.map(({ differing }) => differing),
      day,
    ])
  }
}

/** The most JSON per statement. One of this size is far from taking too long, even if everything has to be written again. */
const PART_LENGTH = 4_000_000

function* inParts<Item extends { readonly counts: string }>(rows: readonly Item[]): Iterable<readonly Item[]> {
  let part: Item[] = []
  let length = 0
  for (const row of rows) {
    if (part.length > 0 && length + row.counts.length > PART_LENGTH) {
      yield part
      part = []
      length = 0
    }
    part.push(row)
    length += row.counts.length
  }
  if (part.length > 0) yield part
}

/** The latest time that is believed, by the database's clock; see `believed`. */
const LATEST = `extract(epoch FROM now()) * 1000 + ${APART_MS}`
/** When the last exchange of a row came, in ms since the epoch. If that seems to be in the future, the first one is the last that is known. */
export const UNTIL = `
  CASE WHEN until_ms <= ${LATEST} THEN until_ms
    WHEN (counts ->> 'since')::float8 <= ${LATEST} THEN (counts ->> 'since')::float8 END`

/** A row of the table. */
export interface TallyRow {
  readonly [column: string]: unknown
  readonly replica: string
  readonly incarnation: string
  readonly operation: string
  readonly lineage: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly counts: unknown
  readonly units: Buffer | null
  readonly differing_units: Buffer | null
}

export const COLUMNS = 'replica, incarnation, operation, lineage, day::text, counts, units, differing_units'

/**
 * Parses a row.
 * @throws StateError that names the malformed row, and says what to do.
 */
export function readRow(row: TallyRow, name: string): KeptCounts {
  const { counts, units, differing_units: differing } = row
  try {
    return {
      day: row.day,
      counts: operationCounts.parse({
        ...(counts as object),
        units: hashesIn(units),
        differingUnits: hashesIn(differing),
      }),
    }
  } catch (error) {
    const where = (['replica', 'incarnation', 'operation', 'lineage'] as const)
      .map((column) => `${column} = ${literal(row[column])}`)
      .join(' AND ')
    throw new StateError(
      `${name}: a row of the table tally, last written on ${row.day}, cannot be read; restore it from a backup, or delete it: ` +
        `DELETE FROM tally WHERE ${where}`,
      false,
      { cause: error },
    )
  }
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Returns null for a sketch that is stored already, so that the row keeps it. */
function ifChanged(hashes: readonly number[], stored: readonly number[] | undefined): string | null {
  const isSame = stored?.length === hashes.length && stored.every((hash, at) => hash === hashes[at])
  return isSame ? null : bytesOf(hashes).toString('base64')
}

/** The size of a hash. */
const HASH_BYTES = 6

function bytesOf(hashes: readonly number[]): Buffer {
  const bytes = Buffer.alloc(hashes.length * HASH_BYTES)
  for (const [at, hash] of hashes.entries()) bytes.writeUIntBE(hash, at * HASH_BYTES, HASH_BYTES)
  return bytes
}

const hashesIn = (bytes: Buffer | null): readonly number[] =>
  Array.from({ length: (bytes?.length ?? 0) / HASH_BYTES }, (_, at) =>
    (bytes as Buffer).readUIntBE(at * HASH_BYTES, HASH_BYTES),
  )

/** Matches what jsonb refuses: U+0000, and half a surrogate pair. Member names in answers may hold both. */
const NOT_IN_JSONB = /\\\\|\\u0000|\\ud[89a-f][0-9a-f]{2}/g

/** Returns JSON that PostgreSQL's jsonb accepts; characters that it refuses become U+FFFD. */
const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(NOT_IN_JSONB, (found) => (found === '\\\\' ? found : '\\ufffd'))
