import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { binaryKind, textKind } from './file-kind.ts'
import { isGoldenCase, readGoldenCase } from './read-golden-case.ts'
import { readHar } from './read-har.ts'
import { readNdjson } from './read-ndjson.ts'
import { mayBePostman, readPostman } from './read-postman.ts'
import {
  type BadEntry,
  type ReadOptions,
  type RecordedExchange,
  toRecordingError,
  WrongKindError,
} from './recorded-exchange.ts'

/** The bytes at the beginning of a file that decide its format. */
const HEAD = 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** HAR 1.2: the root is an object with the member `log`; some tools put a comment before it. Lines of Docker have a text there. */
const HAR = /^\s*\{\s*(?:"[^"]*"\s*:\s*"[^"]*"\s*,\s*)*"log"\s*:(?!\s*")/

/**
 * Reads the requests of a recording (NDJSON), a HAR 1.2 file, a Postman collection 2.1 or a golden case, each also with gzip. The
 * content decides the format. For an entry that cannot be used, yields a problem with its line and continues. Reads on demand, so
 * files may be of any size, except collections and golden cases.
 * @throws RecordingError if the file cannot be read; WrongKindError if it has content, but nothing of a recording.
 */
export async function* readRecording(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  let line = 0
  let isCutOff = false
  const onCutOff = (): void => {
    isCutOff = true
  }
  try {
    const [head, chunks] = await peeked(readBytes(path, onCutOff))
    const binary = binaryKind(head)
    if (binary !== undefined) throw wrongKind(path, binary)
    for await (const entry of entriesOf(path, head.toString(), chunks, options)) {
      line = entry.line
      if (options.only?.has(line) !== false) yield entry
    }
    if (isCutOff) yield { line: line + 1, problem: 'the gzip data end early: the rest is lost' }
  } catch (error) {
    if (!(error instanceof GzipError)) throw error
    yield { line: line + 1, problem: 'cannot be unpacked from here on: the gzip data are damaged' }
  }
}

function entriesOf(
  path: string,
  head: string,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): ReturnType<typeof readNdjson> {
  if (HAR.test(head))
    return unlessNone(readHar(chunks, options), Number.POSITIVE_INFINITY, (problem) => notHar(path, problem))
  if (isGoldenCase(head)) return readGoldenCase(path, chunks, options)
  if (mayBePostman(head) && !OPEN_API.test(head)) return readPostman(path, chunks)
  return unlessNone(readNdjson(chunks, options), MOST_HELD, (problem) => notNdjson(path, head, problem))
}

const OPEN_API = /^\s*\{\s*"(?:openapi|swagger)"/

/** The most lines that cannot be read before the first that can. A file with more of them is no recording. */
const MOST_HELD = 1_000

/**
 * Yields entries; the problems before the first call only together with it. If there are only problems, nothing in the file is a
 * recording, and one sentence says more than all of them.
 * @param most after so many problems without a call, the file is given up.
 * @param toError makes the error of the first problem.
 */
async function* unlessNone(
  entries: AsyncIterable<RecordedExchange | BadEntry>,
  most: number,
  toError: (first: BadEntry) => WrongKindError,
): AsyncGenerator<RecordedExchange | BadEntry> {
  const held: BadEntry[] = []
  let isRecording = false
  for await (const entry of entries) {
    if (!isRecording && 'problem' in entry && entry.call === undefined) {
      held.push(entry)
      if (held.length === most) break
      continue
    }
    isRecording = true
    yield* held.splice(0)
    yield entry
  }
  const [first] = held
  if (first !== undefined) throw toError(first)
}

const READ =
  'only recordings of the gateway (NDJSON), HAR 1.2 files, Postman collections 2.1 and golden cases can be read, each also as gzip'

const wrongKind = (path: string, what: string): WrongKindError =>
  new WrongKindError(`${path}: looks like ${what}; ${READ}`)

const notHar = (path: string, { line, problem }: BadEntry): WrongKindError =>
  new WrongKindError(`${path}: a HAR file of which no entry can be read; entry ${line}: ${problem}`)

/** Lines of a recording of ours begin so, also those of other versions. */
const OURS = /^\s*\{\s*"v"\s*:/

const notNdjson = (path: string, head: string, { line, problem }: BadEntry): WrongKindError =>
  OURS.test(head)
    ? new WrongKindError(`${path}: a recording of which no line can be read; line ${line}: ${problem}`)
    : wrongKind(path, textKind(head))

/** Returns the beginning of a text and all of its bytes, both without a byte order mark. */
async function peeked(chunks: AsyncGenerator<Buffer>): Promise<[head: Buffer, all: AsyncGenerator<Buffer>]> {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < HEAD) {
    const { value, done } = await chunks.next()
    if (done === true) break
    head = Buffer.concat([head, value])
  }
  if (head.indexOf(BYTE_ORDER_MARK) === 0) head = head.subarray(BYTE_ORDER_MARK.length)
  const all = async function* (): AsyncGenerator<Buffer> {
    yield head
    yield* chunks
  }
  return [head, all()]
}

/** Thrown when gzip data cannot be unpacked any further. */
class GzipError extends Error {
  override readonly name = 'GzipError'
}

/** The first bytes of gzip data: RFC 1952 section 2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b])
/** The first bytes of files packed in other formats. No recording begins with any of them. */
const OTHERS: Readonly<Record<string, Buffer>> = {
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]),
  bzip2: Buffer.from('BZh'),
  zip: Buffer.from('PK\x03\x04'),
}
const MAGIC_BYTES = 5

/**
 * Reads the bytes of a file, and unpacks gzip, which it recognises by its first bytes. Yields the readable part of truncated gzip.
 * @param onCutOff called at the end of truncated gzip.
 * @throws RecordingError if the file cannot be read, or is packed in another format; GzipError if the gzip data are damaged.
 */
export async function* readBytes(path: string, onCutOff: () => void = () => undefined): AsyncGenerator<Buffer> {
  try {
    const head = await headOf(path)
    for (const [name, magic] of Object.entries(OTHERS)) {
      if (startsWith(head, magic)) throw new Error(`packed with ${name}: unpack it, or pack it with gzip`)
    }
    const file = createReadStream(path)
    yield* startsWith(head, GZIP) ? unpacked(file) : file
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === CUT_OFF) return onCutOff()
    if (!code.startsWith('Z_')) throw toRecordingError(path, error)
    throw new GzipError((error as Error).message, { cause: error })
  }
}

/** zlib's error code for truncated data. */
const CUT_OFF = 'Z_BUF_ERROR'

/**
 * Unpacks gzip. Rejects at the end of truncated data. A failing stream drops data that is not read yet, so the end is
 * signalled only after everything has been read.
 */
async function* unpacked(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  let onRead = (): void => undefined
  const fed = async function* (): AsyncGenerator<Buffer> {
    yield* file
    await new Promise<void>((resolve) => gunzip.flush(constants.Z_SYNC_FLUSH, resolve))
    while (gunzip.readableLength > 0) {
      await new Promise<void>((resolve) => {
        onRead = resolve
      })
    }
  }
  for await (const part of pipeline(fed, gunzip, () => undefined)) {
    onRead()
    yield part
  }
}

const startsWith = (head: Buffer, magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic)

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
