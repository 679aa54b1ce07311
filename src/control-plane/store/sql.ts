import { cleanText } from './clean-text.ts'

/** A row of a result, by column. */
export type SqlRow = Readonly<Record<string, unknown>>
export type SqlValue = string | number | Uint8Array | null

/** A statement in SQL that both SQLite and PostgreSQL understand. */
export interface Statement {
  readonly text: string
  /** The values of `$1`, `$2` and so on; the text uses each of them. */
  readonly values: readonly SqlValue[]
}

/**
 * The work of one transaction: it yields statements, and gets their rows. As a generator, it is written once, and runs both
 * synchronously on SQLite, where nothing may come between, and asynchronously on PostgreSQL.
 */
export type Work<Result> = Generator<Statement, Result, readonly SqlRow[]>

/** Runs one statement; its texts are cleaned. */
export function* query<Result extends SqlRow>(text: string, ...values: readonly SqlValue[]): Work<readonly Result[]> {
  const cleaned = values.map((value) => (typeof value === 'string' ? cleanText(value) : value))
  return (yield { text, values: cleaned }) as readonly Result[]
}

/** Runs work synchronously. */
export function runAtOnce<Result>(work: Work<Result>, answer: (statement: Statement) => readonly SqlRow[]): Result {
  let step = work.next()
  while (step.done !== true) step = work.next(answer(step.value))
  return step.value
}

/** Runs work asynchronously, one statement after the other. */
export async function runInTurn<Result>(
  work: Work<Result>,
  answer: (statement: Statement) => Promise<readonly SqlRow[]>,
): Promise<Result> {
  let step = work.next()
  while (step.done !== true) step = work.next(await answer(step.value))
  return step.value
}

/** Returns `($2, $3, $4)`: a place for each of these, numbered from `from`. @param types their types, if the database cannot know them. */
export const listed = (of: readonly unknown[], from: number, types?: readonly string[]): string => {
  const places = of.map((_, at) => (types === undefined ? `$${from + at}` : `CAST($${from + at} AS ${types[at]})`))
  return `(${places.join(', ')})`
}

/** Returns `($1, $2), ($3, $4)`: such a list for each row. */
export const table = (rows: number, columns: readonly string[], types?: readonly string[]): string =>
  Array.from({ length: rows }, (_, row) => listed(columns, row * columns.length + 1, types)).join(', ')

/** Returns a stored time as ISO 8601: PostgreSQL's comes as a Date, SQLite's as a text. */
export const isoOf = (stored: unknown): string => (stored instanceof Date ? stored.toISOString() : String(stored))
