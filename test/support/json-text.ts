/** A decoder that accepts only valid UTF-8, and keeps a byte order mark. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of a JSON text by `JSON.parse`, decoded strictly; undefined when it is not JSON. */
export function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(strict.decode(bytes)) as unknown }
  } catch {
    return undefined
  }
}

export const isJsonObject = (bytes: Uint8Array): boolean => {
  const value = parsed(bytes)?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON text without the white space between its tokens. Its digits and escapes are kept. */
export const tokensOf = (json: string | Uint8Array): string =>
  (typeof json === 'string' ? json : strict.decode(json)).replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/** A value without the members that are null, at any depth. */
export function valueWithoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valueWithoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, valueWithoutNulls(member)]))
}

/** Joins JSON texts and bytes. */
export const joined = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
