import type { Logger } from 'pino'
import { recordFile } from './record-file.ts'
import { exchangeLine, type RecordableExchange, type Redact } from './record-line.ts'
import { reasonOf, toRecordingError } from './recording-error.ts'

export interface RecorderOptions {
  /** NDJSON; written as gzip when its name ends in `.gz`. */
  readonly file: string
  readonly redact: Redact
  /** Makes the lines of large exchanges, where it does not hold up the calls; undefined: they are made here. */
  readonly lineAside?: ((exchange: RecordableExchange) => Promise<Buffer>) | undefined
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** When the file would grow beyond this it is set aside as `FILE.1`, the one before it as `FILE.2`, and so on. */
  readonly maxBytes?: number
  /** How many files are kept beside the one that is written. */
  readonly files?: number
  /** What may wait for the disk. */
  readonly maxQueuedBytes?: number
  /** The memory that waiting lines take; left out: nobody counts it. */
  readonly memory?: { hold(bytes: number): boolean; letGo(bytes: number): void }
}

export interface Recorder {
  /** Redacts an exchange and queues it; it is in the file within a second. Over when it is queued; never rejects. */
  record(exchange: RecordableExchange): Promise<void>
  counts(): { readonly written: number; readonly dropped: number }
  /** Writes what is queued. What is recorded afterwards is dropped. */
  close(): Promise<void>
}

/** How long a line waits for others to be written with it. */
const WAIT_MS = 250

/**
 * Appends exchanges to a file, one a line. When the disk is slower than the traffic the newest are dropped and counted. A
 * write that fails is tried again later, and is logged once until writing works again.
 * @throws RecordingError when the file cannot be written now.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const {
    file,
    redact,
    lineAside,
    log,
    memory,
    maxBytes = 256 * 1024 * 1024,
    files = 8,
    maxQueuedBytes = 32 * 1024 * 1024,
  } = options
  const target = recordFile({ file, maxBytes, files })
  await target.check().catch((error: unknown) => Promise.reject(toRecordingError(file, error)))

  const queue: Buffer[] = []
  let queuedBytes = 0
  let written = 0
  let dropped = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** What is wrong and has been logged. */
  const told = new Set<string>()

  const tellOnce = (message: string, reason?: string): void => {
    if (!told.has(message)) log.warn({ file, ...(reason === undefined ? {} : { reason }) }, message)
    told.add(message)
  }

  /** Undefined: there is no memory for it. */
  const lineOf = (exchange: RecordableExchange): Buffer | undefined | Promise<Buffer | undefined> => {
    const bytes = exchange.request.body.length + exchange.answer.body.length
    if (bytes < LARGE_BYTES || lineAside === undefined) return exchangeLine(exchange, redact)
    if (memory?.hold(bytes * LINE_FACTOR) === false) return undefined
    return lineAside(exchange).finally(() => memory?.letGo(bytes * LINE_FACTOR))
  }

  const writeAll = async (): Promise<void> => {
    try {
      while (queue.length > 0) {
        const lines = queue.splice(0, await target.append(queue))
        const bytes = bytesOf(lines)
        queuedBytes -= bytes
        memory?.letGo(bytes)
        written += lines.length
        if (told.delete(UNWRITABLE)) log.info({ file, dropped }, 'the recording is written again')
      }
    } catch (error) {
      tellOnce(UNWRITABLE, reasonOf(error))
    }
  }

  const writeSoon = (): void => {
    if (timer !== undefined || writing !== undefined || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      writing = writeAll().finally(() => {
        writing = undefined
        if (queue.length > 0) writeSoon()
      })
    }, WAIT_MS).unref()
  }

  return {
    async record(exchange) {
      try {
        const made = lineOf(exchange)
        const line = made instanceof Promise ? await made : made
        if (
          line !== undefined &&
          !isClosed &&
          queuedBytes + line.length <= maxQueuedBytes &&
          memory?.hold(line.length) !== false
        ) {
          queue.push(line)
          queuedBytes += line.length
          writeSoon()
          return
        }
        dropped++
        if (!isClosed) tellOnce(TOO_SLOW)
      } catch (error) {
        dropped++
        tellOnce(UNRECORDABLE, reasonOf(error))
      }
    },
    counts: () => ({ written, dropped }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeAll()
      memory?.letGo(bytesOf(queue))
      dropped += queue.splice(0).length
      if (dropped > 0) log.warn({ file, written, dropped }, 'the recording is not whole')
    },
  }
}

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((bytes, line) => bytes + line.length, 0)

/** Redacting takes some ten times as long as anything else that is done with a text. */
const LARGE_BYTES = 32 * 1024
/** While that is done aside, an exchange is there twice, and its line. */
const LINE_FACTOR = 3

const UNWRITABLE = 'the recording cannot be written'
const TOO_SLOW = 'the recording is written too slowly: exchanges are dropped'
const UNRECORDABLE = 'an exchange cannot be recorded'
