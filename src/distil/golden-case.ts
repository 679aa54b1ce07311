import type { ExchangeRequest } from '../exchange/exchange.ts'
import type { SortedExchange } from './look-at-exchanges.ts'

/** How the gateway translates a legacy request. */
export interface TranslatedCall {
  /** The first call of v1, which depends on no answer. Undefined: v1 is not asked. */
  readonly asked:
    | {
        readonly method: string
        /** From the root, with its query. */
        readonly path: string
        readonly headers: Readonly<Record<string, string>>
        readonly body: Uint8Array | undefined
      }
    | undefined
  /** Sentences that say which calls follow, or why v1 is not asked. */
  readonly note: string | undefined
}

/** Translates a request; undefined: its operation has no golden case. */
export type Translate = (operation: string, request: ExchangeRequest) => TranslatedCall | undefined

/**
 * Writes a recorded golden case in the form of test/cases: the legacy request, the v1 call that it must become, and the recorded
 * legacy answer (docs/clients.md). It has no answer of v1, because none was recorded.
 */
export function goldenCase(exchange: SortedExchange, says: string, { asked, note }: TranslatedCall): string {
  const { request, status, answer } = exchange
  const { method, path, query, headers, body } = request
  return `${JSON.stringify(
    {
      says,
      legacy: { method, path: query === '' ? path : `${path}?${query}`, headers, ...bodyOf(body) },
      v1: asked === undefined ? [] : [{ asked: { ...asked, body: undefined, ...bodyOf(asked.body) } }],
      ...(note !== undefined && { note }),
      ...(status !== undefined && { answer: { status, ...bodyOf(answer) } }),
    },
    null,
    2,
  )}\n`
}

/** Returns a body as JSON if that represents it fully, else as exact text: `100.00` is not `100`. */
function bodyOf(bytes: Uint8Array | undefined): { readonly body?: unknown; readonly text?: string } {
  if (bytes === undefined || bytes.length === 0) return {}
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  try {
    const body: unknown = JSON.parse(text)
    return JSON.stringify(body) === text ? { body } : { text }
  } catch {
    return { text }
  }
}
