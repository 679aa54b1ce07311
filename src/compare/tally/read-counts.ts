import { ZodError } from 'zod'
import { StateError } from '../../state/state-error.ts'
import { type OperationCounts, operationCounts } from './operation-counts.ts'

/**
 * Parses the counts of a row.
 * @throws StateError that names the file and the malformed row, and says what to do.
 */
export function readCounts(path: string, row: Readonly<Record<string, unknown>>): OperationCounts {
  const { operation, lineage, day, counts } = row
  try {
    const read = operationCounts.parse(JSON.parse(String(counts)))
    if (read.operation !== operation) throw new Error(`it is of operation ${JSON.stringify(read.operation)}`)
    return read
  } catch (error) {
    const sql = `DELETE FROM counts WHERE operation = ${literal(operation)} AND lineage = ${literal(lineage)}`
    throw new StateError(
      `${path}: the row of operation ${JSON.stringify(operation)}, last written on ${JSON.stringify(day)}, cannot be read (${reasonOf(error)}); ` +
        `restore the file from a backup, or delete these results: sqlite3 ${path} ${JSON.stringify(sql)}`,
      false,
      { cause: error },
    )
  }
}

const literal = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`

function reasonOf(error: unknown): string {
  const issue = error instanceof ZodError ? error.issues[0] : undefined
  if (issue !== undefined) return `${issue.path.join('.')}: ${issue.message}`
  return error instanceof Error ? error.message : String(error)
}
