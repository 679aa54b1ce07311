import { binaryKind, textKind } from './file-kind.ts'
import { GzipError, readBytes } from './read-bytes.ts'
import { readHar } from './read-har.ts'
import { readNdjson } from './read-ndjson.ts'
import { mayBePostman, readPostman } from './read-postman.ts'
import type { BadEntry, ReadOptions, RecordedExchange } from './read-request.ts'
import { WrongKindError } from './recording-error.ts'

/** The bytes at the beginning of a file that decide its format. */
const HEAD = 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** HAR 1.2: the root is an object with the member `log`; some tools put a comment before it. Lines of Docker have a text there. */
const HAR = /^\s*\{\s*(?:"[^"]*"\s*:\s*"[^"]*"\s*,\s*)*"log"\s*:(?!\s*")/

/**
 * Reads the requests of a recording (NDJSON), a HAR 1.2 file or a Postman collection 2.1, each also with gzip. The content decides
 * the format. For an entry that cannot be used, yields a problem with its line and continues. Reads on demand, so files may be of
 * any size, except collections.
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
  'only recordings of the gateway (NDJSON), HAR 1.2 files and Postman collections 2.1 can be read, each also as gzip'

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

/** Counts the exchanges of a file, and the entries that cannot be used. */
export async function countExchanges(path: string): Promise<{ readonly exchanges: number; readonly problems: number }> {
  let exchanges = 0
  let problems = 0
  for await (const entry of readRecording(path)) {
    if ('problem' in entry) problems++
    else exchanges++
  }
  return { exchanges, problems }
}

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
