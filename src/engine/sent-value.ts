import { type Conversion, type Converter, convert } from '../mapping/converter.ts'
import { type Operation, parametersOf } from '../mapping/operation.ts'
import type { Shape } from '../mapping/shape.ts'
import { isIndex, partsOf } from './error-path.ts'
import { skipValue } from './json/json-scan.ts'
import { startOfText, textOf, typeAt } from './json/json-walk.ts'
import { itemsAt, memberText } from './look-up.ts'
import type { V1Call } from './translate-request.ts'

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
function memberConverters(shape: Shape, around = ''): ReadonlyMap<string, Converter> {
  return new Map(
    Object.entries(shape.rules).flatMap(([legacy, rule]): (readonly [string, Converter])[] => {
      if (rule.kind !== 'field') return []
      const path = `${around}${rule.v1 ?? legacy}`
      if (rule.value.kind === 'converted') return [[path, rule.value.by]]
      return 'shape' in rule.value ? [...memberConverters(rule.value.shape, `${path}.`)] : []
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
