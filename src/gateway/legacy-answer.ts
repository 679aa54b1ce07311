import type { Readable } from 'node:stream'

/** An answer in the legacy shape. */
export interface LegacyAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Null: no body. A stream is one that is passed through, as it comes. */
  readonly body: Uint8Array | string | Readable | null
}

/** An answer with a JSON body, as text or as bytes that are JSON already. */
export function jsonAnswer(
  status: number,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): LegacyAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}
