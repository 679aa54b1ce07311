import type { Operation } from '../../mapping/operation.ts'
import type { ShownCall } from './example-call.ts'

/** Whether a call has a value for a member, by the legacy path of its mapping line. */
export function hasMember({ request }: Operation, { query, body }: ShownCall, legacy: string): boolean {
  if (request.kind === 'query-parameters') return (new URLSearchParams(query).getAll(legacy).at(-1) ?? '') !== ''
  return body !== undefined && hasValue(JSON.parse(body), legacy.split('.'))
}

function hasValue(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== null && value !== '' && value !== undefined
  const isList = name.endsWith('[]')
  const key = isList ? name.slice(0, -2) : name
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  const inner = (value as Readonly<Record<string, unknown>>)[key]
  if (!isList) return hasValue(inner, rest)
  return Array.isArray(inner) && inner.some((item) => hasValue(item, rest))
}
