import { type Conversion, type Converter, convert } from '../mapping/converter.ts'
import { type Operation, parametersOf } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { placeWithin, rowAt, v1PathOf } from '../mapping/v1-place.ts'
import { FIRST_ITEM, outerLines, type Step, scopeOf } from './compile/scope.ts'
import { skipValue, startOfText, textOf, typeAt } from './json/walk-json.ts'
import { itemsAt, memberText } from './json-members.ts'
import type { V1Call } from './translate-request.ts'

/** Whether a part of a path is the index of an item. All other parts are names of members. */
export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part)

/**
 * Compiles the translation of v1's `errors[].path` into the path of the legacy field, in the legacy style
 * (`products[1].unitOfMeasure.code`), whichever way v1 writes indices. A path that no line covers keeps its names.
 */
export function errorPathTranslator(operation: Operation): (v1Path: string) => string {
  const parameters = new Map(
    Object.entries(parametersOf(operation.request)).map(([legacy, { v1 }]) => [v1 ?? legacy, legacy]),
  )
  const root = operation.request.kind === 'body' ? targetsOf(operation.request.shape) : undefined
  return (v1Path) => {
    const parameter = parameters.get(v1Path)
    if (parameter !== undefined) return parameter
    const parts = partsOf(v1Path)
    return written(root === undefined ? parts : translate(root, parts))
  }
}

/** A member of v1, with its legacy path. */
interface Target {
  readonly v1: readonly string[]
  readonly legacy: readonly string[]
  /** The members of its items, if it is a list. */
  readonly items: readonly Target[] | undefined
}

/** Returns the members of a record or row, and of all objects within it. */
function targetsOf(shape: Shape): readonly Target[] {
  const scope = scopeOf(shape)
  const lines = [
    ...scope.objects.slice(1).map(({ legacy, v1 }) => ({ legacy, v1, rule: undefined })),
    ...scope.lines,
    ...outerLines(scope),
  ]
  return lines.flatMap(({ rule, legacy, v1 }) => {
    if (v1?.level !== 0) return []
    const items = rule?.kind === 'field' && rule.value.kind === 'list' ? targetsOf(rule.value.shape) : undefined
    return [{ v1: v1.path.map(String), legacy: legacy.map(nameOrIndex), items }]
  })
}

const nameOrIndex = (step: Step): string => (step === FIRST_ITEM ? '0' : step)

/** Translates by the member with the longest path that leads to the place. What is beneath it keeps its names. */
function translate(targets: readonly Target[], parts: readonly string[]): readonly string[] {
  const nearest = targets
    .filter(({ v1 }) => v1.every((name, index) => parts[index] === name))
    .reduce<Target | undefined>((best, one) => (best && best.v1.length >= one.v1.length ? best : one), undefined)
  if (nearest === undefined) return parts
  const { v1, legacy, items } = nearest
  const rest = parts.slice(v1.length)
  const indices = isIndex(rest[0]) ? 1 : 0
  const beneath = rest.slice(indices)
  return [...legacy, ...rest.slice(0, indices), ...(items === undefined ? beneath : translate(items, beneath))]
}

/** Splits a path into its parts, whichever way it writes indices. */
export function partsOf(path: string): readonly string[] {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d+)\]/g, '.$1') : path
  // Most paths name a member of the root.
  return dotted.includes('.') || dotted === '' ? dotted.split('.').filter((part) => part !== '') : [dotted]
}

function written(parts: readonly string[]): string {
  return parts.reduce((path, part) => {
    if (isIndex(part)) return `${path}[${part}]`
    return path === '' ? part : `${path}.${part}`
  }, '')
}

/**
 * Returns the legacy form (JSON text) of the value that a v1 error names by its path. Undefined if no converter changes
 * it: then both sides write it alike.
 */
export type SentValue = (v1Path: string, call: V1Call) => string | undefined

/** Compiles the look-up of an operation's sent values. Undefined if no converter changes any of them. */
export function sentValueOf(operation: Operation): SentValue | undefined {
  const { request } = operation
  const converters = request.kind === 'body' ? memberConverters(request.shape) : parameterConverters(operation)
  if (converters.size === 0) return undefined
  return (v1Path, { body, query }) => {
    const parts = partsOf(v1Path)
    const by = converters.get(nameOf(parts))
    if (by === undefined) return undefined
    if (request.kind !== 'body') return ofParameter(by.toLegacy, new URLSearchParams(query).get(v1Path))
    const sent = body && valueAt(body, parts)
    return sent && convert(by.toLegacy, sent)
  }
}

/** Joins a path without its indices, which is how tables name members. */
const nameOf = (parts: readonly string[]): string => parts.filter((part) => !isIndex(part)).join('.')

/** Collects the converters of a shape and its inner shapes, by v1 path. */
function memberConverters(shape: Shape, place = rowAt('')): ReadonlyMap<string, Converter> {
  return new Map(
    Object.entries(shape.rules).flatMap(([legacy, rule]): (readonly [string, Converter])[] => {
      if (rule.kind !== 'field') return []
      const path = v1PathOf(legacy, rule, place)
      if (rule.value.kind === 'converted') return [[path.replaceAll('[]', ''), rule.value.by]]
      const within = placeWithin(rule, path, place)
      return within !== undefined && 'shape' in rule.value ? [...memberConverters(rule.value.shape, within)] : []
    }),
  )
}

function parameterConverters({ request }: Operation): ReadonlyMap<string, Converter> {
  return new Map(
    Object.entries(parametersOf(request)).flatMap(([legacy, { v1 = legacy, reader }]) =>
      reader.by === undefined ? [] : [[v1, reader.by] as const],
    ),
  )
}

/** Converts a query parameter, where a number cannot be told from a text: tries the text first. */
const ofParameter = (conversion: Conversion, sent: string | null): string | undefined =>
  sent === null ? undefined : (convert(conversion, JSON.stringify(sent)) ?? convert(conversion, sent))

/** Returns the value at a path, as JSON text. */
function valueAt(json: Uint8Array, parts: readonly string[]): string | undefined {
  let value: Uint8Array | undefined = json.subarray(startOfText(json))
  for (const part of parts) {
    value = value && (typeAt(value, 0) === 'array' ? itemText(value, Number(part)) : memberText(value, 0, part))
  }
  return value && textOf(value, 0, skipValue(value, 0))
}

function itemText(json: Uint8Array, index: number): Uint8Array | undefined {
  const at = itemsAt(json, 0)[index]
  return at === undefined ? undefined : json.subarray(at)
}
