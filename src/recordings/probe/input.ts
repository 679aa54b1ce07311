import { sampleOf } from '../../guide/examples/samples.ts'
import type { Type } from '../../mapping/converter.ts'
import { type Operation, parametersOf } from '../../mapping/operation.ts'
import type { Parameter, RequestMapping } from '../../mapping/request.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** The use of an input. `page` and `rows` select a page, `sort` names a member to sort by, `direction` is `asc` or `desc`; all others are a `value`. */
type Role = 'page' | 'rows' | 'sort' | 'direction' | 'value'

/** A place in a legacy request that takes a value, as the mapping describes it. */
export interface Input {
  /** The name in the query, or the path from the root of the body, with dots; the first item of a list is `0`. */
  readonly path: string
  /** The member's name in legacy, and in v1 if it differs. */
  readonly names: readonly string[]
  readonly role: Role
  readonly type: Type | 'date' | undefined
  /** Whether a v1 call needs it. */
  readonly isNeeded: boolean
  /** Whether it may hold any text: the mapping names neither values nor another type. */
  readonly isFreeText: boolean
  /** Values that the mapping itself names, the most telling first: examples, known values, values that v1 removed. */
  readonly known: readonly Json[]
  readonly low: number | undefined
  readonly high: number | undefined
}

/** Returns the inputs of an operation's request, in the mapping's order. */
export function inputsOf(operation: Operation): readonly Input[] {
  const { request } = operation
  if (request.kind === 'body') return membersOf(operation)
  return Object.entries(parametersOf(request)).map(([path, parameter]) => inputOf(operation, path, parameter))
}

/** Returns the body to begin with; a request of parameters begins with none of them. */
export function startOf({ request, example }: Operation): Json {
  if (request.kind !== 'body') return {}
  return (example?.request ?? sampleOf(request.shape, 'legacy')) as Json
}

function inputOf({ request, example }: Operation, path: string, parameter: Parameter): Input {
  const { v1 = path, in: place, reader, retired } = parameter
  const { type, values = [], low, high } = reader.accepts
  const given = example === undefined ? undefined : memberAt(example.request as Json, path, request.kind)
  const samples =
    values.length > 0 ? values : (reader.by?.samples ?? []).map(({ legacy }) => JSON.parse(legacy) as Json)
  const known = [...(given === undefined ? [] : [given]), ...samples, ...(retired?.values ?? [])]
  return {
    path,
    names: [...new Set([lastOf(path), lastOf(v1)])],
    role: pagingRole(request, v1) ?? sortingRole(lastOf(path)),
    type,
    isNeeded: place === 'path',
    isFreeText: (type === undefined || type === 'string') && samples.length === 0,
    known: distinct(known.map((value) => ofType(value, type))),
    ...{ low, high },
  }
}

function pagingRole(request: RequestMapping, v1: string): Role | undefined {
  const paging = 'stitching' in request ? request.stitching?.paging : undefined
  if (v1 === paging?.page) return 'page'
  return v1 === paging?.perPage ? 'rows' : undefined
}

/** Finds sorting parameters by name, in both interfaces: a mapping does not say which they are. */
function sortingRole(name: string): Role {
  if (/^(sort|order)?_?(order|dir|direction)$/i.test(name)) return 'direction'
  return /^(sort|order)(_?by)?$/i.test(name) ? 'sort' : 'value'
}

/** The members of a body: those that its example has, and those that its shape knows besides. */
function membersOf(operation: Operation): readonly Input[] {
  const { request } = operation
  if (request.kind !== 'body') return []
  const members = new Map<string, Json>()
  collect('', startOf(operation), members)
  const inExample = new Set(members.keys())
  collect('', sampleOf(request.shape, 'legacy') as Json, members)
  return [...members].map(([path, value]) => ({
    path,
    names: [lastOf(path)],
    role: 'value',
    type: typeOf(value),
    isNeeded: false,
    isFreeText: false,
    known: isContainer(value) || !inExample.has(path) ? [] : [value],
    low: undefined,
    high: undefined,
  }))
}

function collect(path: string, value: Json, into: Map<string, Json>): void {
  if (path !== '' && !into.has(path)) into.set(path, value)
  if (!isContainer(value)) return
  const inner: [string, Json][] = Array.isArray(value)
    ? value.slice(0, 1).map((item) => ['0', item])
    : Object.entries(value)
  for (const [name, member] of inner) collect(path === '' ? name : `${path}.${name}`, member, into)
}

const isContainer = (value: Json): value is readonly Json[] | { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null

function typeOf(value: Json): Input['type'] {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'number'
  if (typeof value === 'string') return /^\d{4}-\d{2}-\d{2}$/.test(value) ? 'date' : 'string'
  return typeof value === 'boolean' ? 'bool' : 'object'
}

function memberAt(root: Json, path: string, kind: RequestMapping['kind']): Json | undefined {
  const names = kind === 'query-parameters' ? [path] : path.split('.')
  return names.reduce<Json | undefined>(
    (at, name) =>
      at !== undefined && isContainer(at) && !Array.isArray(at) ? (at as Record<string, Json>)[name] : undefined,
    root,
  )
}

/** Writes a value that a mapping names as text in the type that the contract shows. */
function ofType(value: Json, type: Input['type']): Json {
  const isNumber = (type === 'int' || type === 'number') && typeof value === 'string' && value.trim() !== ''
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value
}

/** Returns the last name of a path. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]
