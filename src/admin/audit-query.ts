import type { AuditEntry } from '../cutover/audit.ts'
import type { AuditQuery } from '../cutover/cutover-store.ts'

const MOST = 1_000
const UNLESS_TOLD = '100'
const NAMES = ['operation', 'before', 'limit']
/** Stands for entries that do not concern a single operation. */
const ALL = '*'
/** A time in UTC and an id. An id made of an operation and a time contains a space. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)_([ -~]{1,200})$/

/** Returns the value of `before` that continues after an entry. */
export const cursorOf = ({ at, id }: Pick<AuditEntry, 'at' | 'id'>): string => `${at}_${id}`

/**
 * Reads the parameters of `GET /audit`, or says what is wrong with them.
 * @param operations the ids of all operations.
 */
export function readAuditQuery(
  given: Readonly<Record<string, readonly string[]>>,
  operations: readonly string[],
): AuditQuery | string {
  const [operation, before, limit = UNLESS_TOLD] = NAMES.map((name) => given[name]?.[0])
  const cursor = before === undefined ? undefined : readCursor(before)
  const isLimit = /^[1-9]\d{0,3}$/.test(limit) && Number(limit) <= MOST
  const problems = [
    ...(operation === undefined || operation === ALL || operations.includes(operation)
      ? []
      : [`operation: no such operation; expected ${ALL} or one of ${operations.join(', ')}`]),
    ...(before === undefined || cursor !== undefined
      ? []
      : ['before must be the value of next in the previous answer']),
    ...(isLimit ? [] : [`limit must be a whole number from 1 to ${MOST}`]),
    ...(Object.entries(given).every(([name, values]) => NAMES.includes(name) && values.length === 1)
      ? []
      : [`the only parameters are ${NAMES.join(', ')}, each at most once`]),
  ]
  if (problems.length > 0) return `${problems.join('; ')}.`
  return { operation, before: cursor, limit: Number(limit) }
}

/** Reads a value that `cursorOf` returned; undefined for any other text. */
export function readCursor(text: string): AuditQuery['before'] {
  const [, at = '', id = ''] = CURSOR.exec(text) ?? []
  // JavaScript turns a date that does not exist, such as 30 February, into another one.
  const isTime = !Number.isNaN(Date.parse(at)) && new Date(at).toISOString().slice(0, 19) === at.slice(0, 19)
  return isTime ? { at, id } : undefined
}
