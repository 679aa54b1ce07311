import type { Marks } from '../../exchange/seen.ts'
import type { Operation } from '../../mapping/operation.ts'
import { objectOf, parameterSamples, sampleOf } from '../describe/describe-example.ts'
import { explain } from '../lines/explain.ts'

type Json = Readonly<Record<string, unknown>>

/** Returns the mapping's example in the form of the legacy request: the members of the body, or the query. Undefined: it has none. */
export function requestExample({ request, example }: Operation): Json | undefined {
  if (request.kind === 'pass-through') return undefined
  const given = example?.request ?? {}
  if (request.kind === 'body') return merged(sampleOf(request.shape, 'legacy') as Json, given)
  const isQuery = request.kind === 'query-parameters'
  const samples = parameterSamples(request.parameters)
  return merged(isQuery ? Object.fromEntries(samples) : (objectOf(samples) as Json), given)
}

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

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
