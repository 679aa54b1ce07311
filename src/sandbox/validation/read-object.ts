import type { HonoRequest } from 'hono'

/** *Assumed* (docs/contract.md 13.6). */
const maxBodyBytes = 4 * 1024 * 1024

/**
 * Reads the body of a request as UTF-8. Undefined for other bytes, so that nothing is stored that was never sent. Stops as
 * soon as the body is known to be over 4 MiB.
 */
export async function readText(
  request: HonoRequest,
  skipsByteOrderMark: boolean,
): Promise<{ readonly utf8: string } | 'too large' | undefined> {
  const bytes = await readBytes(request)
  if (bytes === undefined) return 'too large'
  try {
    return { utf8: new TextDecoder('utf-8', { fatal: true, ignoreBOM: !skipsByteOrderMark }).decode(bytes) }
  } catch {
    return undefined
  }
}

async function readBytes(request: HonoRequest): Promise<Uint8Array | undefined> {
  if (Number(request.header('Content-Length')) > maxBodyBytes) return undefined
  // Reads piece by piece, because a chunked body does not announce its length.
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.raw.body?.getReader()
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
    bytes += next.value.byteLength
    if (bytes > maxBodyBytes) return undefined
    pieces.push(next.value)
  }
  return Buffer.concat(pieces)
}

/** Parses a JSON object. Returns undefined if the text is not JSON, or JSON of another type. */
export function parseObject(text: string): object | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** Parses JSON. Returns undefined, which is no JSON value, if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
