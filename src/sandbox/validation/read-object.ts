import type { HonoRequest } from 'hono'

/** *Assumed* (docs/contract.md 13.6). */
const maxBodyBytes = 4 * 1024 * 1024

/** The body of a request; undefined as soon as it is known to be over 4 MiB, and then it is not read to its end. */
export async function readBytes(request: HonoRequest): Promise<Uint8Array | undefined> {
  if (Number(request.header('Content-Length')) > maxBodyBytes) return undefined
  // Read piece by piece, because a chunked body does not announce its length.
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

/** The object that a JSON text stands for; undefined when it is not JSON, or JSON of another type. */
export function parseObject(text: string): object | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** Undefined, which no JSON text stands for, when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
