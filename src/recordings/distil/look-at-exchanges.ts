import { createHash } from 'node:crypto'
import type { Redactor } from '../../exchange/redactor.ts'
import type { RecordedExchange } from '../recorded-exchange.ts'
import { findCall, UNKNOWN } from '../replay/replay.ts'
import { atMost, type CoveredOperation, type ElementBook, elementsOf } from './cover.ts'
import { type KeptExchange, keptExchange } from './kept-line.ts'

/** An operation as distilling needs it. */
export interface DistilledOperation extends CoveredOperation {
  readonly isLogin: boolean
}

/** The facts about a service that distilling needs. */
export interface DistilSources {
  readonly find: (method: string, path: string) => DistilledOperation | undefined
  /** Path prefixes under which clients may have been served, without a trailing slash. */
  readonly prefixes: readonly string[]
  /** The paths of all operations. */
  readonly paths: readonly string[]
  readonly redact: Redactor
}

/** An exchange as it is kept, with its operation. */
export interface SortedExchange extends KeptExchange {
  /** An operation's id, or `UNKNOWN`. */
  readonly operation: string
}

/** Looks at exchanges. */
export type Looking = ReturnType<typeof lookAtExchanges>

/** The most methods and shapes of unknown paths that are told apart. */
const MOST_SHAPES = 100
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The most exchanges that are remembered. */
const MOST_SEEN = 10_000

/** Returns a hash of an exchange's content. */
function contentOf({ operation, request, status, answer = new Uint8Array() }: SortedExchange): string {
  const { query, headers, body } = request
  const head = JSON.stringify([operation, query, headers, status, body.length])
  return createHash('sha256').update(head).update(body).update(answer).digest('base64')
}

/** Prepares looking at exchanges; the numbers are those of `book`. */
export function lookAtExchanges({ find, prefixes, paths, redact }: DistilSources, book: ElementBook) {
  const shapeOf = pathShapes(paths)
  const bounded = atMost(MOST_SHAPES)
  const met = new Map<string, DistilledOperation>()
  /** The elements of exchanges by content, because most calls are repeated. */
  const seen = new Map<string, Uint32Array>()
  return {
    /** Returns an exchange as it is kept. */
    sort(exchange: RecordedExchange): SortedExchange {
      const found = findCall(find, prefixes, exchange)
      if (found !== undefined) met.set(found.operation.id, found.operation)
      const [path = '', ...rest] = exchange.path.split('?')
      const { method, headers, body = new Uint8Array() } = exchange
      const request = found?.request ?? { method, path, query: rest.join('?'), headers, body }
      const shape = shapeOf(path)
      const call = { operation: found?.operation.id, isLogin: found?.operation.isLogin === true, request, shape }
      return { ...keptExchange(exchange, call, redact), operation: call.operation ?? UNKNOWN }
    },
    /** Returns the numbers of the elements that it covers. */
    elementsOf(exchange: SortedExchange): Uint32Array {
      const operation = met.get(exchange.operation)
      if (operation !== undefined) {
        const key = contentOf(exchange)
        const known = seen.get(key)
        if (known !== undefined) return known
        const elements = elementsOf(book, operation, exchange)
        if (seen.size >= MOST_SEEN) seen.clear()
        seen.set(key, elements)
        return elements
      }
      const { request, status } = exchange
      const method = METHODS.includes(request.method) ? request.method : 'another method'
      const elements = [
        `path ${bounded(`${method} ${shapeOf(request.path)}`)}`,
        status === undefined ? 'no answer' : `status ${status}`,
      ]
      return Uint32Array.from(elements.map((element) => book.numberOf(UNKNOWN, element))).sort()
    },
    /** Returns the operations whose bodies have more places than are told apart. */
    full: (): readonly string[] =>
      [...met.values()]
        .filter(({ request, answer, error }) => [request, answer, error].some((table) => table.isFull))
        .map(({ id }) => id),
  }
}

/** The most segments of a shape; longer paths are cut. */
const MOST_SEGMENTS = 8
/** Replaces a segment that no operation's path has: it may be a name, an id or a token. */
const ANY = '*'

/**
 * Returns a function that gives the shape of a path that no operation has. The shape keeps the segments that occur in paths of
 * operations, because all others could be personal or secret.
 */
function pathShapes(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths.flatMap((path) => path.split('/')))
  return (path) => {
    const segments = path.replace(/[?#].*/s, '').split('/')
    const shape = segments.slice(0, MOST_SEGMENTS + 1).map((segment) => (known.has(segment) ? segment : ANY))
    return `${shape.join('/')}${segments.length > MOST_SEGMENTS + 1 ? '/…' : ''}`
  }
}
