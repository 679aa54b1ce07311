import type { ExchangeRequest } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { RecordedExchange } from '../../recording/recorded-exchange.ts'

/** The parts of a mapping that decide whether a request is sent. */
export type ReplayedOperation = Pick<Operation, 'id' | 'effect' | 'v1' | 'login'>

/** Whether a recorded request is sent to both sides, or skipped for a reason. */
export type Plan =
  | { readonly operation: ReplayedOperation; readonly request: ExchangeRequest }
  | { readonly operation: { readonly id: string }; readonly skip: string }

export interface PlanOptions {
  /** Returns undefined if no operation has this method and path. */
  readonly find: (method: string, path: string) => ReplayedOperation | undefined
  /** Path prefixes under which clients may have been served, without a trailing slash. */
  readonly prefixes: readonly string[]
  readonly includeWrites: boolean
}

/** The operation under which exchanges without a known operation are counted. */
export const UNKNOWN = 'unknown'

/** Decides whether a recorded request is sent or skipped (docs/decisions/0040 and docs/decisions/0047). */
export function planOf({ find, prefixes, includeWrites }: PlanOptions, exchange: RecordedExchange): Plan {
  const found = findCall(find, prefixes, exchange)
  if (found === undefined) return { operation: { id: UNKNOWN }, skip: 'no known operation' }
  const { operation, request } = found
  const skip = whyNot(operation, includeWrites)
  return skip === null ? { operation, request } : { operation, skip }
}

/**
 * Returns the operation of a recorded request, and the request as the legacy service knows it; undefined: no operation matches.
 * @param prefixes path prefixes under which clients may have been served, without a trailing slash.
 */
export function findCall<Found>(
  find: (method: string, path: string) => Found | undefined,
  prefixes: readonly string[],
  exchange: RecordedExchange,
): { readonly operation: Found; readonly request: ExchangeRequest } | undefined {
  const { method, path: target, headers, body = new Uint8Array() } = exchange
  const queryAt = target.indexOf('?')
  const written = queryAt === -1 ? target : target.slice(0, queryAt)
  const query = queryAt === -1 ? '' : target.slice(queryAt + 1)
  for (const path of [written, ...withoutPrefix(written, prefixes)]) {
    const operation = find(method, path)
    if (operation !== undefined) return { operation, request: { method, path, query, headers, body } }
  }
  return undefined
}

function withoutPrefix(path: string, prefixes: readonly string[]): readonly string[] {
  return prefixes.filter((prefix) => path.startsWith(`${prefix}/`)).map((prefix) => path.slice(prefix.length))
}

/** Says why an operation is skipped. Logins are skipped because recordings hold no credentials, and each side issues its own token. */
function whyNot({ v1, login, effect }: ReplayedOperation, includeWrites: boolean): string | null {
  if (v1 === undefined) return 'v1 has no equivalent'
  if (login !== undefined) return 'a login'
  return effect === 'write' && !includeWrites ? 'a write' : null
}
