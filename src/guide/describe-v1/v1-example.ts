import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { V1Call } from '../../engine/translate-request.ts'
import type { Operation } from '../../mapping/operation.ts'
import { legacySent, queryOf } from '../describe/describe-exchange.ts'

/** A v1 call of an operation, for examples. */
export interface V1Example {
  readonly method: string
  /** The path as in v1's route, with `{id}`. */
  readonly route: string
  /** The values of the route's variable parts. */
  readonly segments: Readonly<Record<string, string>>
  /** Encoded, with the paging. Empty if there is none. */
  readonly query: string
  /** JSON. Undefined if there is none. */
  readonly body: string | undefined
}

/**
 * Returns the v1 call of the mapping's example, translated by the engine itself. Credentials in it are replaced with the names of their
 * variables: `{{clientId}}`. Undefined if v1 has no equivalent.
 * @throws an Error if the gateway itself would refuse the example.
 */
export function v1Example(operation: CompiledOperation): V1Example | undefined {
  if (operation.mapping.v1 === undefined) return undefined
  const example = v1CallOf(operation, exampleOf(operation.mapping))
  if (example === undefined) throw new Error(`the example of ${operation.mapping.id} is refused`)
  return example
}

/** Returns the query of a v1 call that uses every parameter of the mapping; empty if there is none. */
export const wholeQuery = (operation: CompiledOperation): string =>
  v1CallOf(operation, legacySent(operation.mapping))?.query ?? ''

type Sent = ReturnType<typeof legacySent>

function v1CallOf({ mapping, translateRequest }: CompiledOperation, { query, body }: Sent): V1Example | undefined {
  const { call } = translateRequest({ query, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) })
  if (call === undefined || mapping.v1 === undefined) return undefined
  return {
    method: call.method,
    route: mapping.v1.path,
    segments: segmentsOf(mapping.v1.path, call),
    query: queryOf(call, mapping),
    body: call.body && Buffer.from(call.body).toString(),
  }
}

/** Returns the legacy request of the mapping's example; a generated one if it has none. */
function exampleOf(mapping: Operation): Sent {
  const { example, login, request } = mapping
  if (example === undefined) return legacySent(mapping)
  if (request.kind === 'query-parameters') {
    const texts = Object.entries(example.request).map(([name, value]): [string, string] => [name, String(value)])
    return { query: new URLSearchParams(texts).toString(), body: undefined }
  }
  const credentials = login === undefined ? [] : [login.client, login.secret].map((name) => [name, `{{${name}}}`])
  return { query: '', body: { ...example.request, ...Object.fromEntries(credentials) } }
}

/** Reads the values of parts such as `{id}` from the path of a call. */
function segmentsOf(route: string, { path }: V1Call): Readonly<Record<string, string>> {
  const values = path.split('/')
  return Object.fromEntries(
    route.split('/').flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), values[index] ?? '']] : [])),
  )
}
