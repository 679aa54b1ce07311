import { LRUCache } from 'lru-cache'
import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { Redactor } from '../../exchange/redactor.ts'
import type { Login, Operation } from '../../mapping/operation.ts'
import { languageOf } from '../evidence/reply.ts'

/** A call of a client, redacted as in a recording, and kept in memory only. */
export interface UsageExample {
  readonly method: string
  /** As the legacy service receives it, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly language: 'tr' | 'en'
  /** JSON; undefined if there was no body. */
  readonly body: string | undefined
}

/** Keeps the last successful call of each client's operations, redacted, in bounded memory. */
export interface UsageExamples {
  keep(client: string, mapping: Pick<Operation, 'id' | 'login'>, request: ExchangeRequest): void
  of(client: string, operation: string): UsageExample | undefined
}

/** The most characters of one call; larger calls are not kept. */
const MOST_OF_ONE = 4 * 1024
/** The most bytes of all calls. */
const MOST_OF_ALL = 4 * 1024 * 1024
/** The memory of an entry without its texts; bytes. */
const OF_AN_ENTRY = 300

/** Redacts calls and keeps them. Forgets the least recently read or made ones. */
export function usageExamples(redact: Pick<Redactor, 'body' | 'query'>): UsageExamples {
  const examples = new LRUCache<string, UsageExample>({
    maxSize: MOST_OF_ALL,
    // Texts take two bytes a character at most.
    sizeCalculation: (example, key) => OF_AN_ENTRY + 2 * (key.length + lengthOf(example)),
  })
  const keyOf = (client: string, operation: string): string => JSON.stringify([client, operation])
  return {
    keep(client, { id, login }, request) {
      if (request.body.length + request.query.length > MOST_OF_ONE) return
      const { method, path } = request
      const body = login === undefined ? redacted(request.body, redact) : placeholders(request.body, login)
      const query = login === undefined ? redact.query(request.query) : ''
      const example = { method, path, query, language: languageOf(request.headers), body }
      if (lengthOf(example) <= MOST_OF_ONE) examples.set(keyOf(client, id), example)
    },
    of: (client, operation) => examples.get(keyOf(client, operation)),
  }
}

const lengthOf = ({ method, path, query, body }: UsageExample): number =>
  method.length + path.length + query.length + (body?.length ?? 0)

const redacted = (body: Uint8Array, redact: Pick<Redactor, 'body'>): string | undefined =>
  body.length === 0 ? undefined : redact.body(body)?.toString()

/** Returns a login's body with placeholders only: nothing that the client sent in it is kept. */
function placeholders(body: Uint8Array, { client, secret }: Login): string | undefined {
  const sent = sentMembers(body)
  return (
    sent &&
    JSON.stringify(
      Object.fromEntries([client, secret].flatMap((name) => (sent.has(name) ? [[name, `<${name}>`]] : []))),
    )
  )
}

function sentMembers(body: Uint8Array): ReadonlySet<string> | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString())
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? new Set(Object.keys(json)) : undefined
  } catch {
    return undefined
  }
}
