import { earliest } from '../../../common/time.ts'
import type { Seen } from '../../usage/usage.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'

/** A client's calls of one operation. */
export interface OperationCalls {
  readonly client: string
  readonly operation: string
  readonly calls: number
  readonly clientErrors: number
  readonly serverErrors: number
  readonly byV1: number
  readonly byLegacy: number
  /** ISO 8601; unset: it is not known. */
  readonly firstAt?: string
  /** Milliseconds since the epoch, or ISO 8601. */
  readonly lastAt: number | string
  /** What those of its calls showed that were looked at; unset: it is not known. */
  readonly seen?: Pick<Seen, 'calls' | 'members' | 'removed' | 'answered' | 'languages' | 'statuses'>
}

/** A client, with its calls by the side that answered. */
export interface Caller {
  readonly client: string
  readonly byV1: number
  readonly byLegacy: number
  readonly operations: readonly string[]
  /** ISO 8601. */
  readonly lastAt: string
}

/** Returns the clients of a dossier, those that called last first. */
export function callersOf(calls: readonly OperationCalls[]): readonly Caller[] {
  const clients = Array.from(
    Map.groupBy(calls, ({ client }) => client),
    ([client, rows]) => ({
      client,
      byV1: rows.reduce((sum, { byV1 }) => sum + byV1, 0),
      byLegacy: rows.reduce((sum, { byLegacy }) => sum + byLegacy, 0),
      operations: rows.map(({ operation }) => operation).sort(),
      lastAt: new Date(Math.max(...rows.map(({ lastAt }) => new Date(lastAt).getTime()))).toISOString(),
    }),
  )
  return clients.sort((a, b) => (a.lastAt < b.lastAt ? 1 : a.lastAt > b.lastAt ? -1 : 0))
}

/**
 * Returns from when on calls were counted, ISO 8601: from the first of them on. Who called before is not known.
 * @param asked the time from which calls were asked for: returned if the time of the first is not known.
 * @param compared when the results begin. Where nobody has called, calls were hardly counted before.
 */
export function countedSince(calls: readonly OperationCalls[], asked: string, compared: string): string {
  const latest = asked > compared ? asked : compared
  return earliest(calls.map(({ firstAt = asked }) => firstAt)) ?? latest
}

/** Whether the switch-off of legacy changes the answers to these calls: v1 does not answer all of them yet. */
export const isOnLegacy = ({ byV1, byLegacy }: OperationCalls): boolean => byLegacy > 0 || byV1 === 0

/** Whether any of these calls was no error. What both services refuse, such as a scan of paths, needs no service. */
export const isUse = ({ calls, clientErrors, serverErrors }: OperationCalls): boolean =>
  calls > clientErrors + serverErrors

/** Whether calls have shown one of these lines, as far as they were looked at. If none was, they may have. */
export function showsAny(
  { seen }: OperationCalls,
  lines: readonly (Pick<MappingLine, 'part' | 'legacy'> & { readonly change?: string })[],
): boolean {
  if (lines.length === 0) return false
  if (seen === undefined || seen.calls === 0) return true
  return lines.some(({ part, legacy, change }) => {
    if (legacy === null) return true
    switch (part) {
      case 'request':
        return Object.hasOwn(change === 'removed value' ? seen.removed : seen.members, legacy)
      case 'answer':
        return Object.hasOwn(seen.answered, legacy)
      case 'language':
        return Object.hasOwn(seen.languages, legacy)
      case 'error':
        return Object.keys(seen.statuses).some((status) => status.endsWith(` ${legacy}`))
      default:
        return true
    }
  })
}
