/** An answer in the legacy shape. */
export interface LegacyAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Null: no body. */
  readonly body: Uint8Array | string | null
}

/** An answer with a JSON body, as text or as bytes that are JSON already. */
export function jsonAnswer(
  status: number,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): LegacyAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}
