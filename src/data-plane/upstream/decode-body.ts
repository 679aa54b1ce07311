import type { Transform } from 'node:stream'
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
  type Zlib,
  zstdDecompress,
} from 'node:zlib'
import { FIRST_SIZE, LargeBody } from './body-memory.ts'
import { type Account, ANSWER_FACTOR, SMALL_BYTES } from './memory-budget.ts'
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

/** Each further try allows eight times as much. */
const NEXT_TRY = 8

/**
 * Decodes a body as `decodeBody` does, within the memory budget. The decoded size is not known in advance. Most bodies decode to little,
 * for which the budget needs no room. If a body turns out larger, decodes it again with room for eight times as much. Gives the room of a
 * try back before it waits for more, so that decoders do not wait for each other.
 */
export async function decodeWithin(
  body: Uint8Array,
  encoding: string,
  limit: number,
  account: Account | undefined,
): Promise<Uint8Array> {
  for (let size = Math.min(SMALL_BYTES, limit); ; size = Math.min(size * NEXT_TRY, limit)) {
    const room = size > SMALL_BYTES ? size * ANSWER_FACTOR : 0
    if (account !== undefined && room > 0) await takeRoom(account, room)
    let needed = 0
    try {
      const decoded = await decodeBody(body, encoding, size)
      needed = room > 0 ? decoded.length * ANSWER_FACTOR : 0
      return decoded
    } catch (error) {
      if (size === limit || !(error instanceof UpstreamError && error.kind === 'too-large')) throw error
    } finally {
      account?.memory.letGo(account.holder, 'answer', room - needed)
    }
  }
}

async function takeRoom({ memory, holder, mayExceed }: Account, bytes: number): Promise<void> {
  if (mayExceed) memory.holdAnyway(holder, bytes)
  else await memory.holdSoon(holder, 'answer', bytes)
}

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
