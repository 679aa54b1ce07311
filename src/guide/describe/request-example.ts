import type { Operation } from '../../mapping/operation.ts'
import { objectOf, parameterSamples, sampleOf } from './describe-example.ts'

export type Json = Readonly<Record<string, unknown>>

/**
 * Returns a legacy request with every member of the mapping: the members of the body, or the query. Values are those of the mapping's
 * example, which the services accept; those that it lacks are generated. Undefined: the mapping has no members.
 */
export function requestExample({ request, example }: Operation): Json | undefined {
  if (request.kind === 'pass-through') return undefined
  const given = example?.request ?? {}
  if (request.kind === 'body') return merged(sampleOf(request.shape, 'legacy') as Json, given)
  const isQuery = request.kind === 'query-parameters'
  const samples = parameterSamples(request.parameters)
  return merged(isQuery ? Object.fromEntries(samples) : (objectOf(samples) as Json), given)
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
