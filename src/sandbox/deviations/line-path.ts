import type { z } from 'zod'

/** A path within a row, record or body, split behind each list: `packages[].size.cm` is `[['packages'], ['size', 'cm']]`. */
export type LinePath = readonly (readonly string[])[]

const form = /^[^.[\]]+(\[\])?(\.[^.[\]]+(\[\])?)*$/

/** Splits a path. Undefined if it is none, or ends with a list's items. */
export function splitPath(path: string): LinePath | undefined {
  if (!form.test(path) || path.endsWith('[]')) return undefined
  return path.split('[].').map((names) => names.split('.'))
}

/** Splits a path that begins with a root, such as `items[]`. Undefined if it does not, or is none. */
export function splitBehind(root: string, path: string): LinePath | undefined {
  if (root === '') return splitPath(path)
  return path.startsWith(`${root}.`) ? splitPath(path.slice(root.length + 1)) : undefined
}

export const writePath = (path: LinePath): string => path.map((names) => names.join('.')).join('[].')

/** Whether a path is that of a value within another one. */
export const isBeneath = (path: string, above: string): boolean =>
  /^[.[]/.test(path.slice(above.length)) && path.startsWith(above)

/** The names behind the last list. */
export const memberOf = (path: LinePath): readonly string[] => path.at(-1) ?? []

/** The names that lead to each list on the way. */
export const listsOf = (path: LinePath): LinePath => path.slice(0, -1)

/** An object of parsed JSON. */
export type Members = Record<string, unknown>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at these names; undefined if there is none. */
export function valueAt(object: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    object,
  )
}

/** Sets the value at these names, and makes the objects on the way. Changes nothing if a value on the way is no object. */
export function setAt(object: Members, names: readonly string[], value: unknown): void {
  if (!canSet(object, names)) return
  let at = object
  for (const name of names.slice(0, -1)) {
    const inner = valueAt(at, [name]) ?? {}
    define(at, name, inner)
    at = inner as Members
  }
  define(at, names.at(-1) ?? '', value)
}

/** Whether each value on the way is an object, or missing. */
export const canSet = (object: Members, names: readonly string[]): boolean =>
  names.slice(0, -1).every((_, at) => {
    const inner = valueAt(object, names.slice(0, at + 1))
    return inner === undefined || isMembers(inner)
  })

/** Removes the value at these names, and the objects on the way that it leaves empty. */
export function removeAt(object: Members, names: readonly string[]): void {
  const parent = valueAt(object, names.slice(0, -1))
  if (!isMembers(parent)) return
  delete parent[names.at(-1) ?? '']
  if (names.length > 1 && Object.keys(parent).length === 0) removeAt(object, names.slice(0, -1))
}

/** Sets a member of any name, as `__proto__` too. */
function define(object: Members, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ object: 'an object', record: 'an object', array: 'a list', tuple: 'a pair' },
}

/** Says in plain words what is wrong with a value of a file, where its schema does not say it. */
export function mistakeInWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const schema = issue.inst as { readonly _zod: { readonly def: { readonly shape?: object } } }
      const members = Object.keys(schema._zod.def.shape ?? {}).join(', ')
      return `no such member: ${issue.keys.join(', ')}; expected one of ${members}`
    }
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array'
        ? 'must not be empty'
        : `must be at least ${issue.minimum}`
    case 'too_big':
      return `must be at most ${issue.maximum}`
    case 'invalid_union':
      return 'is written in none of the ways that docs/corrections.md shows'
    default:
      return undefined
  }
}
