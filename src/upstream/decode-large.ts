import type { Transform } from 'node:stream'
import type { Zlib } from 'node:zlib'
import { FIRST_SIZE, LargeBody } from './large-body.ts'

export type OpenDecoder = (options: { readonly chunkSize: number }) => Transform & Pick<Zlib, 'bytesWritten'>

const CHUNK = 64 * 1024

/**
 * Decodes a body piece by piece, so that the event loop is never blocked for long. Rejects with a RangeError if the
 * decoded body is larger than `limit` bytes.
 * @param isWhole whether bytes after the end of the coded body are an error; otherwise they do not matter.
 */
export function decodeLarge(
  open: OpenDecoder,
  body: Uint8Array,
  limit: number,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const decoded = new LargeBody(limit < FIRST_SIZE ? limit : undefined)
    let length = 0
    const stream = open({ chunkSize: CHUNK })
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) stream.destroy(new RangeError(`more than ${limit} bytes`))
      else decoded.add(chunk)
    })
    stream.on('error', reject).on('end', () => {
      if (isWhole && stream.bytesWritten < body.length) reject(new Error('bytes after the end'))
      else resolve(decoded.finish())
    })
    stream.end(body)
  })
}
