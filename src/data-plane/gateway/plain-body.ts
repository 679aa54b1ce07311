import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { decodeLarge, hasZlibHeader, type OpenDecoder } from '../upstream/decode-body.ts'
import { type Holder, SMALL_BYTES } from '../upstream/memory-budget.ts'
import { Refusal } from './errors/refusal.ts'
import { BODY_FACTOR, bodyTooLarge, type Receiving, receiveBody } from './receive-body.ts'

/** The headers that say how a body is written. */
export type WrittenAs = Pick<IncomingHttpHeaders, 'content-encoding' | 'content-type'>

/**
 * The content codings of requests that the gateway unpacks. Others are refused: br and zstd may ask for a window of many megabytes,
 * however small the body is, which no budget would know of.
 */
const CODINGS: ReadonlyMap<string, (packed: Uint8Array) => OpenDecoder> = new Map<
  string,
  (packed: Uint8Array) => OpenDecoder
>([
  ['gzip', () => createGunzip],
  // RFC 9110 section 8.4.1.3: the same.
  ['x-gzip', () => createGunzip],
  // RFC 9110 section 8.4.1.2: some programs send it without the zlib wrapper.
  ['deflate', (packed) => (hasZlibHeader(packed) ? createInflate : createInflateRaw)],
])

/** RFC 9110 section 12.5.3: in a 415, the codings that a request may have. */
const ACCEPTED = 'gzip, deflate'

const CHARSET = /;\s*charset\s*=\s*(["']?)([^\s"';]*)\1/i

/** Whether headers say that a body is written in another way than as plain UTF-8. */
export const isWrittenOtherwise = ({ 'content-encoding': coding, 'content-type': type }: WrittenAs): boolean =>
  (coding !== undefined && codingOf(coding) !== '') || charsetOf(type) !== undefined

/**
 * Receives a request's body as `receiveBody` does, and makes it plain as `plainBody` does. A body with a content coding that is not
 * unpacked is refused before it is read.
 */
export function receivePlain(
  incoming: IncomingMessage,
  receiving: Receiving,
  holder: Holder,
): Uint8Array | Promise<Uint8Array> {
  if (!isWrittenOtherwise(incoming.headers)) return receiveBody(incoming, receiving, holder)
  return makePlain(incoming, receiving, holder)
}

async function makePlain(incoming: IncomingMessage, receiving: Receiving, holder: Holder): Promise<Uint8Array> {
  refuseUnknownCoding(incoming.headers)
  const body = await receiveBody(incoming, receiving, holder)
  return plainBody(body, incoming.headers, receiving, holder)
}

/** @throws Refusal 415 if a body has a content coding that is not unpacked, or several. */
function refuseUnknownCoding({ 'content-encoding': coding }: WrittenAs): void {
  if (coding === undefined || codingOf(coding) === '' || CODINGS.has(codingOf(coding))) return
  // As with a body that is too large, the rest would be taken for the next request.
  const headers = { 'accept-encoding': ACCEPTED, connection: 'close' }
  throw new Refusal(415, 'content-encoding', { values: { accepted: ACCEPTED }, headers })
}

/**
 * Unpacks a body and transcodes it to UTF-8, within the memory budget. A body that is UTF-8 stays as it is, whatever its charset
 * says: RFC 8259 section 8.1 knows no other, and programs that state another one and write UTF-8 were understood.
 * @throws Refusal 415 as `refuseUnknownCoding`; 400 if the body is not what its headers say, which includes bytes after its end; 413
 *   if it unpacks to more than `maxBodyBytes`. UpstreamError `overloaded` if there is no memory for it for five seconds.
 */
export async function plainBody(
  body: Uint8Array,
  headers: WrittenAs,
  receiving: Receiving,
  holder: Holder,
): Promise<Uint8Array> {
  refuseUnknownCoding(headers)
  // Programs that pack everything announce a coding even for an empty body.
  if (body.length === 0) return body
  const coding = codingOf(headers['content-encoding'] ?? '')
  const open = CODINGS.get(coding)?.(body)
  const unpacked = open === undefined ? body : await unpack(body, coding, open, receiving, holder)
  const charset = charsetOf(headers['content-type'])
  return charset === undefined || isPlain(unpacked) ? unpacked : inUtf8(unpacked, charset, receiving, holder)
}

/** Returns the `Content-Type` of a body that `plainBody` has returned. */
export function plainType(type: string): string
export function plainType(type: string | undefined): string | undefined
export function plainType(type: string | undefined): string | undefined {
  return charsetOf(type) === undefined ? type : type?.replace(CHARSET, '; charset=utf-8')
}

/** Returns the content codings, without `identity` and in lower case; empty: none. */
function codingOf(header: string): string {
  const coding = header.trim().toLowerCase()
  if (coding === '' || coding === 'identity') return ''
  return coding
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity')
    .join(', ')
}

/** Returns the charset that a content type names; undefined if it names none or UTF-8. */
function charsetOf(type: string | undefined): string | undefined {
  if (type === undefined || type === 'application/json') return undefined
  const label = CHARSET.exec(type)?.[2]?.toLowerCase()
  return label === undefined || label === '' || label === 'utf-8' || label === 'utf8' ? undefined : label
}

/** UTF-16 can look like UTF-8 with zeros, which no JSON text has. */
const isPlain = (body: Uint8Array): boolean => isUtf8(body) && !body.includes(0)

/** Each further try allows eight times as much. */
const NEXT_TRY = 8

/**
 * Unpacks a body of which nobody knows how large it will be: first with room for little, as nearly all need no more. So a body that
 * would unpack to gigabytes takes no more memory than the largest that is accepted.
 */
async function unpack(
  body: Uint8Array,
  coding: string,
  open: OpenDecoder,
  { maxBodyBytes, memory }: Receiving,
  holder: Holder,
): Promise<Uint8Array> {
  for (let size = Math.min(SMALL_BYTES, maxBodyBytes); ; size = Math.min(size * NEXT_TRY, maxBodyBytes)) {
    const room = size * BODY_FACTOR
    await memory?.holdSoon(holder, 'request', room)
    let needed = 0
    try {
      const unpacked = await decodeLarge(open, body, size, { isWhole: true })
      needed = unpacked.length * BODY_FACTOR
      return unpacked
    } catch (error) {
      if (!(error instanceof RangeError)) throw unreadable('body-not-packed', { coding })
      if (size === maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
    } finally {
      memory?.letGo(holder, 'request', room - needed)
    }
  }
}

/** How much is transcoded without a pause, so that nobody waits long. */
const STEP_BYTES = 64 * 1024

async function inUtf8(body: Uint8Array, charset: string, { memory }: Receiving, holder: Holder): Promise<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(isBigEndian(charset, body) ? 'utf-16be' : charset, { fatal: true })
  } catch {
    // No encoding of the Encoding standard. The translation refuses a body that is not UTF-8.
    return body
  }
  await memory?.holdSoon(holder, 'request', body.length * BODY_FACTOR)
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    if (at > 0) await setImmediate()
    const isLast = at + STEP_BYTES >= body.length
    try {
      parts.push(Buffer.from(decoder.decode(body.subarray(at, at + STEP_BYTES), { stream: !isLast })))
    } catch {
      throw unreadable('body-not-charset', { charset })
    }
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** Whether a body in UTF-16 has its bytes in that order, as its mark or its first zero says. `TextDecoder` only looks at the name. */
const isBigEndian = (charset: string, [first]: Uint8Array): boolean =>
  charset === 'utf-16' && (first === 0xfe || first === 0)

const unreadable = (message: string, values: Readonly<Record<string, string>>): Refusal =>
  new Refusal(400, message, { values, violations: [{ path: '', message, with: values }] })
