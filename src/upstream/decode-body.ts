import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { UpstreamError } from './upstream-error.ts'

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>

/** Content codings of RFC 9110 section 8.4.1 and RFC 8878. */
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * A body without its content codings (RFC 9110 section 8.4: listed in the order in which they were applied).
 * @throws UpstreamError `too-large` when more than `limit` bytes come out, `malformed` when it cannot be decoded.
 */
export async function decodeBody(body: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  // Servers that compress whatever they send announce a coding also where they send nothing.
  if (body.length === 0) return body
  let decoded = body
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined) throw new UpstreamError('malformed', 'an unknown content coding')
    try {
      decoded = await decode(decoded, { maxOutputLength: limit })
    } catch (error) {
      const kind = error instanceof RangeError ? 'too-large' : 'malformed'
      throw new UpstreamError(kind, `cannot decode ${coding}`, { cause: error })
    }
  }
  return decoded
}
