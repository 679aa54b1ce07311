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

/** Up to this size, joining the decoded chunks does not block the event loop noticeably. */
const JOINED_AT_ONCE = 1024 * 1024

/** Returns a decoder that decodes small bodies in one call, which is fast, and larger ones piece by piece. */
const decoder =
  (whole: Decoder, open: OpenDecoder) =>
  (body: Uint8Array, limit: number): Promise<Uint8Array> =>
    limit <= JOINED_AT_ONCE ? whole(body, { maxOutputLength: limit }) : decodeLarge(open, body, limit)

const unzip = decoder(promisify(gunzip), createGunzip)
const inflateWrapped = decoder(promisify(inflate), createInflate)
const inflateBare = decoder(promisify(inflateRaw), createInflateRaw)

/** The content codings of RFC 9110 section 8.4.1 and RFC 8878. */
const decoders: ReadonlyMap<string, (body: Uint8Array, limit: number) => Promise<Uint8Array>> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  ['deflate', (body, limit) => (hasZlibHeader(body) ? inflateWrapped : inflateBare)(body, limit)],
  ['br', decoder(promisify(brotliDecompress), createBrotliDecompress)],
  ['zstd', decoder(promisify(zstdDecompress), createZstdDecompress)],
])

/**
 * Removes the content codings of a body. RFC 9110 section 8.4: `encoding` lists them in the order in which they were
 * applied.
 * @throws UpstreamError `too-large` if the decoded body is larger than `limit` bytes, `malformed` if it cannot be
 * decoded.
 */
export async function decodeBody(body: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  // Servers that compress everything announce a coding even for an empty body.
  if (body.length === 0) return body
  let decoded = body
  for (const coding of codings.reverse()) {
    const decode = decoders.get(coding)
    if (decode === undefined) throw new UpstreamError('malformed', 'unknown content coding')
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
 * Whether a deflate body has the zlib wrapper. RFC 9110 section 8.4.1.2: some servers send deflate without it. RFC 1950
 * section 2.2 defines its first two bytes: method 8, a window of at most 32 KiB, and together a multiple of 31.
 */
export function hasZlibHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

/**
 * Removes the byte order mark (EF BB BF) that some services write before JSON. No JSON text starts with these bytes.
 * RFC 8259 section 8.1 allows parsers to ignore the mark.
 */
export function withoutMark(json: Uint8Array): Uint8Array {
  return json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json
}
