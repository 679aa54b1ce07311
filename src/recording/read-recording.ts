import { GzipError, readBytes } from './read-bytes.ts'
import { readHar } from './read-har.ts'
import { readNdjson } from './read-ndjson.ts'
import { mayBePostman, readPostman } from './read-postman.ts'
import type { BadEntry, RecordedExchange } from './read-request.ts'

/** So much of a file is looked at to tell what it is. */
const HEAD = 1024
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
/** HAR 1.2: the root is an object with the member `log`; some tools put a comment before it. */
const HAR = /^\s*\{\s*(?:"[^"]*"\s*:\s*"[^"]*"\s*,\s*)*"log"\s*:/

/**
 * The requests of a recording (NDJSON), a HAR 1.2 file or a Postman collection 2.1, told apart by what is in it; each may be
 * gzip. What cannot be used is given as a problem with its line, and the rest goes on. The file is read as it is asked for,
 * however large, but for a collection.
 * @throws RecordingError when the file cannot be read.
 */
export async function* readRecording(path: string): AsyncGenerator<RecordedExchange | BadEntry> {
  let line = 0
  let isCutOff = false
  const onCutOff = (): void => {
    isCutOff = true
  }
  try {
    const [head, chunks] = await peeked(readBytes(path, onCutOff))
    for await (const entry of entriesOf(path, head.toString(), chunks)) {
      line = entry.line
      yield entry
    }
    if (isCutOff) yield { line: line + 1, problem: 'the gzip data end early: whatever followed is lost' }
  } catch (error) {
    if (!(error instanceof GzipError)) throw error
    yield { line: line + 1, problem: 'cannot be unpacked from here on: the gzip data are damaged' }
  }
}

function entriesOf(path: string, head: string, chunks: AsyncIterable<Buffer>): ReturnType<typeof readNdjson> {
  if (HAR.test(head)) return readHar(chunks)
  return mayBePostman(head) ? readPostman(path, chunks) : readNdjson(chunks)
}

/** How many exchanges a file holds, and how much of it cannot be used. */
export async function countExchanges(path: string): Promise<{ readonly exchanges: number; readonly problems: number }> {
  let exchanges = 0
  let problems = 0
  for await (const entry of readRecording(path)) {
    if ('problem' in entry) problems++
    else exchanges++
  }
  return { exchanges, problems }
}

/** How a text begins, and all of its bytes, without a byte order mark. */
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
