import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from 'node:zlib'
import { decodeLarge, type OpenDecoder } from './decode-large.ts'
import { UpstreamError } from './upstream-error.ts'

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>

/** Up to this size joining what comes out holds up nobody. */
const JOINED_AT_ONCE = 1024 * 1024

/** In one piece, which is fast for what is small; and piece by piece. */
const decoder =
  (whole: Decoder, open: OpenDecoder) =>
  (body: Uint8Array, limit: number): Promise<Uint8Array> =>
    limit <= JOINED_AT_ONCE ? whole(body, { maxOutputLength: limit }) : decodeLarge(open, body, limit)

const unzip = decoder(promisify(gunzip), createGunzip)
const inflateWrapped = decoder(promisify(inflate), createInflate)
const inflateBare = decoder(promisify(inflateRaw), createInflateRaw)

/** Content codings of RFC 9110 section 8.4.1 and RFC 8878. */
const decoders: ReadonlyMap<string, (body: Uint8Array, limit: number) => Promise<Uint8Array>> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', (body, limit) => (hasZlibHeader(body) ? inflateWrapped : inflateBare)(body, limit)],
  ['br', decoder(promisify(brotliDecompress), createBrotliDecompress)],
  ['zstd', decoder(promisify(zstdDecompress), createZstdDecompress)],
])

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
    const decode = decoders.get(coding)
    if (decode === undefined) throw new UpstreamError('malformed', 'an unknown content coding')
    try {
      decoded = await decode(decoded, limit)
    } catch (error) {
      const kind = error instanceof RangeError ? 'too-large' : 'malformed'
      throw new UpstreamError(kind, `cannot decode ${coding}`, { cause: error })
    }
  }
  return decoded
}

/**
 * RFC 9110 section 8.4.1.2: some servers send deflate without the zlib wrapper, whose first two bytes RFC 1950 section 2.2
 * fixes: method 8, a window of at most 32 KiB, and together a multiple of 31.
 */
function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

/**
 * A JSON text without the byte order mark (EF BB BF) that some services write before it; no JSON starts so. RFC 8259 section
 * 8.1 lets whoever reads JSON ignore it.
 */
export function withoutMark(json: Uint8Array): Uint8Array {
  return json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json
}
