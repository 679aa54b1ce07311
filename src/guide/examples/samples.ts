import { joinedPaths, outerLines, type ScopePath, scopeOf } from '../../engine/compile/scope.ts'
import type { Converter, Sample, Type } from '../../mapping/converter.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Reader } from '../../mapping/reader.ts'
import type { Parameters } from '../../mapping/request.ts'
import { type Rule, type Shape, same } from '../../mapping/shape.ts'
import { beneath } from '../../mapping/v1-place.ts'

const SAMPLES = {
  int: 1,
  number: 12.5,
  bool: true,
  array: [],
  object: {},
  date: '2025-01-31',
  timestamp: '2025-01-31T10:24:19+00:00',
} as const

export type Side = keyof Sample

type PlacedSample = readonly [path: string, value: unknown]

/** The values of an object that is generated. */
export interface Filling {
  /** Returns the value of a member without a shape; undefined: it is left out. */
  scalar(place: string, rule: Rule, side: Side): unknown
  /** Returns the rows of a list. */
  rows(row: () => unknown): readonly unknown[]
  /** Returns members that no line of the shape maps. */
  others(shape: Shape, side: Side): readonly PlacedSample[]
}

/** One value of each member, and one row of each list. */
const EXAMPLES: Filling = {
  scalar: (place, rule, side) => {
    if (rule.kind === 'context') return undefined
    return rule.kind === 'field' && rule.value.kind === 'converted'
      ? convertedSample(rule.value.by, side)
      : typeSample(place, rule.type)
  },
  rows: (row) => [row()],
  others: () => [],
}

/** Generates an object that one side could send: every member of the shape that this side has. */
export const sampleOf = (shape: Shape, side: Side, filling = EXAMPLES): unknown =>
  objectOf(side === 'v1' ? v1Samples(shape, filling) : legacySamples(shape, filling))

const legacySamples = (shape: Shape, filling: Filling): readonly PlacedSample[] => [
  ...Object.entries(shape.rules).map(
    ([path, rule]): PlacedSample => [path, memberSample(path, rule, 'legacy', filling)],
  ),
  ...filling.others(shape, 'legacy'),
]

/** Generates the v1 members of a record or row, and of all objects within it, that lines read. */
function v1Samples(shape: Shape, filling: Filling): readonly PlacedSample[] {
  const scope = scopeOf(shape)
  const ofRow = ({ level }: ScopePath): boolean => level === 0
  const at = ({ path }: ScopePath): string => path.map(String).join('.')
  return [
    ...[...scope.lines, ...outerLines(scope)].flatMap(({ rule, v1 }): PlacedSample[] =>
      rule.kind === 'field' && v1 !== undefined && ofRow(v1)
        ? [[at(v1), memberSample(at(v1), rule, 'v1', filling)]]
        : [],
    ),
    ...scope.lines
      .flatMap(({ rule, object }) => joinedPaths(rule, object))
      .flatMap((v1): PlacedSample[] => (ofRow(v1) ? [[at(v1), filling.scalar(at(v1), JOINED, 'v1')]] : [])),
    ...scope.objects.flatMap(({ shape, v1 }) =>
      ofRow(v1) ? filling.others(shape, 'v1').map(([path, value]) => [beneath(at(v1), path), value] as const) : [],
    ),
    // An object without lines is empty.
    ...scope.objects.flatMap(({ v1 }): PlacedSample[] => (ofRow(v1) && v1.path.length > 0 ? [[at(v1), {}]] : [])),
  ]
}

const JOINED = same('string')

/** Generates values for a table of parameters, by legacy path. */
const parameterSamples = (parameters: Parameters): readonly (readonly [path: string, value: unknown])[] =>
  Object.entries(parameters).map(([path, { reader }]) => [path, readSample(path, reader)])

/** Builds an object that has these values at these paths. */
export function objectOf(values: readonly (readonly [path: string, value: unknown])[]): unknown {
  const root: Record<string, unknown> = {}
  for (const [path, value] of values) put(root, path.split('.'), value)
  return root
}

/** Adds a value, if there is one. One that is there already stays, and so does a value in place of an object. */
function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (value === undefined) return
  if (rest.length === 0) {
    into[name] ??= value
    return
  }
  const inner = into[name] ?? {}
  into[name] = inner
  if (isObject(inner)) put(inner as Record<string, unknown>, rest, value)
}

function memberSample(place: string, rule: Rule, side: Side, filling: Filling): unknown {
  if (rule.kind !== 'field' || !('shape' in rule.value)) return filling.scalar(place, rule, side)
  const { kind, shape } = rule.value
  const sample = (): unknown => sampleOf(shape, side, filling)
  return kind === 'list' ? filling.rows(sample) : sample()
}

function readSample(path: string, { accepts: { type, low, values }, by }: Reader): unknown {
  return by === undefined ? (values?.at(-1) ?? low ?? typeSample(path, type)) : convertedSample(by, 'legacy')
}

const convertedSample = ({ samples: [first] }: Converter, side: Side): unknown => JSON.parse(first[side])

/** Generates a value of a type. A text is the member's name in words: "first name" for `firstName`. */
function typeSample(path: string, type: Type | 'date' | undefined): unknown {
  const words = (path.split('.').at(-1) ?? '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  if (type === 'array of string') return [words]
  return type === undefined || type === 'string' ? words : SAMPLES[type]
}

export type Json = Readonly<Record<string, unknown>>

/**
 * Returns a legacy request with every member of the mapping: the members of the body, or the query. Values are those of the mapping's
 * example, which the services accept; those that it lacks are generated. Undefined: the mapping has no members.
 */
export function requestExample({ request, example }: Operation): Json | undefined {
  if (request.kind === 'pass-through') return undefined
  const members = example?.request ?? {}
  if (request.kind === 'body') return merged(sampleOf(request.shape, 'legacy') as Json, members)
  const isQuery = request.kind === 'query-parameters'
  const samples = parameterSamples(request.parameters)
  return merged(isQuery ? Object.fromEntries(samples) : (objectOf(samples) as Json), members)
}

/** Adds what only the sample has: the mapping's own values are better. */
function merged(sample: Json, example: Json): Json {
  const all = Object.entries(sample).map(([name, value]) => [name, mergedValue(value, example[name])])
  return { ...example, ...Object.fromEntries(all) }
}

function mergedValue(sample: unknown, example: unknown): unknown {
  if (example === undefined) return sample
  if (isObject(sample) && isObject(example)) return merged(sample, example)
  if (!Array.isArray(sample) || !Array.isArray(example) || !isObject(sample[0])) return example
  return example.map((item) => (isObject(item) ? merged(sample[0], item) : item))
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
