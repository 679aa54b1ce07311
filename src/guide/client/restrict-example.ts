import type { Marks } from '../../exchange/seen.ts'
import type { Operation } from '../../mapping/operation.ts'
import { isObject, type Json } from '../describe/request-example.ts'
import { explain } from '../lines/explain.ts'

/**
 * Returns the part of an example that a client sends. Members that no line of the mapping knows stay, because it is not known whether the
 * client sends them.
 */
export function restrictedExample(mapping: Operation, example: Json, sent: Marks): Json {
  const known = new Set(explain(mapping).flatMap(({ part, legacy }) => (part === 'request' && legacy ? [legacy] : [])))
  const names = Object.keys(sent)
  const isSent = (path: string): boolean =>
    Object.hasOwn(sent, path) || names.some((name) => name.startsWith(`${path}.`) || name.startsWith(`${path}[`))
  const isGroup = (path: string): boolean => [...known].some((name) => name.startsWith(`${path}.`))
  const restrict = (value: unknown, path: string): unknown => {
    if ((known.has(path) || isGroup(path)) && !isSent(path)) return undefined
    if (Array.isArray(value)) {
      const items = value.map((item) => (isObject(item) ? restrictObject(item, `${path}[].`) : item))
      return items.every((item) => isObject(item) && Object.keys(item).length === 0) ? undefined : items
    }
    if (!isObject(value)) return value
    const members = restrictObject(value, `${path}.`)
    return Object.keys(members).length === 0 ? undefined : members
  }
  const restrictObject = (object: Json, prefix: string): Json =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        const kept = restrict(value, `${prefix}${name}`)
        return kept === undefined ? [] : [[name, kept]]
      }),
    )
  return restrictObject(example, '')
}
