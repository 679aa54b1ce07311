import type { Transform } from 'node:stream'
import { LargeBody } from './large-body.ts'

export type OpenDecoder = (options: { readonly chunkSize: number }) => Transform

const CHUNK = 64 * 1024

/**
 * Decodes a body piece by piece, so that the event loop is never blocked for long. Rejects with a RangeError if the
 * decoded body is larger than `limit` bytes.
 */
export function decodeLarge(open: OpenDecoder, body: Uint8Array, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const decoded = new LargeBody(undefined)
    let length = 0
    const stream = open({ chunkSize: CHUNK })
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) stream.destroy(new RangeError(`more than ${limit} bytes`))
      else decoded.add(chunk)
    })
    stream.on('end', () => resolve(decoded.finish())).on('error', reject)
    stream.end(body)
  })
}
