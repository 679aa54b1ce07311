import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'
import { resolve } from './json-schema.ts'

type Schema = Readonly<Record<string, unknown>>

const STRINGS = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'id',
    'asc',
    'DESC',
    'name',
    'TR',
    'de',
    'USD',
    '34',
    '4',
    '0',
    'true',
    'Köln',
    '50667',
    'İğ',
    '😀',
  ),
  fc.constantFrom(
    '2025-01-01',
    '2025-02-30',
    '2025-06-17T00:00:00+00:00',
    '2025-06-17 10:24',
    '1,2,3',
    'PO-1',
    'x'.repeat(300),
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
)
const INTEGERS = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 34, 57, 225, -1, 2 ** 53), fc.integer())
const NUMBERS = fc.oneof(
  fc.constantFrom(0, 0.5, 1, 10, 12.35, -1, 1e21),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Values that match a JSON Schema (draft 2020-12) of a document, or nearly so. */
export function valuesOf(schema: unknown, document: object): fc.Arbitrary<unknown> {
  const {
    $ref,
    enum: values,
    anyOf,
    type,
    properties,
    required = [],
    items,
    minimum,
    maximum,
    maxItems,
  } = schema as Schema
  if (typeof $ref === 'string') return valuesOf(resolve($ref, document), document)
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]))
  // The real type comes first, followed by values that count as nothing.
  if (Array.isArray(anyOf)) {
    return fc.oneof(...anyOf.map((one, index) => ({ arbitrary: valuesOf(one, document), weight: index === 0 ? 4 : 1 })))
  }
  const ofType = (name: unknown): fc.Arbitrary<unknown> => {
    switch (name) {
      case 'string':
        return STRINGS
      case 'integer':
        return within(INTEGERS, minimum, maximum)
      case 'number':
        return within(NUMBERS, minimum, maximum)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(items === undefined ? STRINGS : valuesOf(items, document), {
          maxLength: Math.min(Number(maxItems ?? 3), 3),
        })
      case 'object':
        return members((properties ?? {}) as Schema, required as readonly string[], document)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }
  return Array.isArray(type) ? fc.oneof(...type.map(ofType)) : ofType(type)
}

function members(properties: Schema, required: readonly string[], document: object): fc.Arbitrary<unknown> {
  const all = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, document)] as const)
  const known = fc.record(Object.fromEntries(all), { requiredKeys: [...required] })
  const unknown = fc.dictionary(
    fc.constantFrom('organizationId', 'typeId', 'ğ', '__proto__x', 'a.b'),
    fc.jsonValue({ maxDepth: 1 }),
    {
      maxKeys: 2,
    },
  )
  return fc.tuple(known, fc.option(unknown, { freq: 4, nil: {} })).map(([own, more]) => ({ ...own, ...more }))
}

/** Numbers mostly within the bounds. */
function within(numbers: fc.Arbitrary<number>, low: unknown, high: unknown): fc.Arbitrary<number> {
  const [least, most] = [Number(low ?? Number.NEGATIVE_INFINITY), Number(high ?? Number.POSITIVE_INFINITY)]
  return fc
    .tuple(numbers, fc.boolean())
    .map(([value, isFree]) => (isFree ? value : Math.min(Math.max(value, least), most)))
}

/** A JSON value with something in it replaced, removed, added or wrapped. */
export function changed(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const edits = fc.array(
    fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'wrap'), fc.jsonValue({ maxDepth: 1 })),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  return fc.tuple(values, edits).map(([value, all]) =>
    all.reduce((changing, [at, edit, other]) => {
      const paths = pathsIn(changing)
      const path = paths[at % paths.length] ?? []
      return edited(changing, path, (old) => (edit === 'replace' ? other : edit === 'wrap' ? [old] : undefined))
    }, value),
  )
}

function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]]
  return [[], ...Object.entries(value).flatMap(([name, member]) => pathsIn(member).map((path) => [name, ...path]))]
}

/** Replaces a value, or removes it if the new one is undefined. */
function edited(value: unknown, [name, ...rest]: readonly string[], edit: (old: unknown) => unknown): unknown {
  if (name === undefined) return edit(value)
  const entries = Object.entries(value as object).map(([one, member]) => [
    one,
    one === name ? edited(member, rest, edit) : member,
  ])
  if (Array.isArray(value)) return entries.map(([, member]) => member)
  return Object.fromEntries(entries)
}

/** A text with a few of its characters replaced, or cut short. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const intruder = fc.oneof(
    fc.constantFrom(...'{}[]:,"\\0-.eEtfnu /\n\u0000\ufeff'),
    fc.string({ unit: anyCharacter, maxLength: 2 }),
  )
  return fc.tuple(texts, fc.nat(), fc.nat(3), intruder).map(([text, anywhere, removed, added]) => {
    const at = anywhere % (text.length + 1)
    return text.slice(0, at) + added + text.slice(at + removed)
  })
}
