import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { reasonOf } from '../common/reason-of.ts'
import type { Redactor } from '../exchange/redactor.ts'
import { RecordFile } from './record-file.ts'
import { exchangeLine, type RecordableExchange } from './record-line.ts'
import { toRecordingError } from './recorded-exchange.ts'

export interface RecorderOptions {
  /** NDJSON; gzip if the name ends in `.gz`. */
  readonly file: string
  readonly redact: Redactor
  /** Makes the lines of large exchanges in another thread; undefined: this one makes them. */
  readonly largeLine?: ((exchange: RecordableExchange) => Promise<Buffer>) | undefined
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Before the file would grow beyond this, it is renamed to `FILE.1`, an existing `FILE.1` to `FILE.2`, and so on. */
  readonly maxBytes?: number
  /** How many renamed files are kept. */
  readonly files?: number
  /** The most bytes that may wait for the disk. */
  readonly maxQueuedBytes?: number
  /** The memory budget for waiting lines; unset: they are not counted. */
  readonly memory?: { hold(bytes: number): boolean; release(bytes: number): void }
}

export interface Recorder {
  /** Redacts an exchange and queues it, to be in the file within a second. Resolves when it is queued; never rejects. */
  record(exchange: RecordableExchange): Promise<void>
  counts(): { readonly written: number; readonly dropped: number }
  /** Writes the queue. Drops later exchanges. */
  close(): Promise<void>
}

/** The time for which lines are collected before they are written together. */
const WAIT_MS = 250

/**
 * Appends exchanges to a file, one per line. If the disk is slower than the traffic, drops and counts the newest. Retries a failed
 * write later, and logs it once until writing works again.
 * @throws RecordingError if the file cannot be written now.
 */
export async function openRecorder(options: RecorderOptions): Promise<Recorder> {
  const {
    file,
    redact,
    largeLine,
    log,
    memory,
    maxBytes = 256 * 1024 * 1024,
    files = 8,
    maxQueuedBytes = 32 * 1024 * 1024,
  } = options
  const target = new RecordFile({ file, maxBytes, files })
  await target.check().catch((error: unknown) => Promise.reject(toRecordingError(file, error)))

  const queue: Buffer[] = []
  let queuedBytes = 0
  let written = 0
  let dropped = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  /** Warnings that have been logged. */
  const logged = new Set<string>()

  const warnOnce = (message: string, reason?: string): void => {
    if (!logged.has(message)) log.warn({ file, ...(reason === undefined ? {} : { reason }) }, message)
    logged.add(message)
  }

  /** Returns the line of an exchange; undefined: not enough memory is free. */
  const lineOf = (exchange: RecordableExchange): Buffer | undefined | Promise<Buffer | undefined> => {
    const bytes = exchange.request.body.length + exchange.answer.body.length
    if (bytes < LARGE_BYTES || largeLine === undefined) return exchangeLine(exchange, redact)
    if (memory?.hold(bytes * LINE_FACTOR) === false) return undefined
    return largeLine(exchange).finally(() => memory?.release(bytes * LINE_FACTOR))
  }

  const writeAll = async (): Promise<void> => {
    try {
      while (queue.length > 0) {
        const lines = queue.splice(0, await target.append(queue))
        const bytes = bytesOf(lines)
        queuedBytes -= bytes
        memory?.release(bytes)
        written += lines.length
        if (logged.delete(UNWRITABLE)) log.info({ file, dropped }, 'the recording is written again')
      }
    } catch (error) {
      warnOnce(UNWRITABLE, reasonOf(error))
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
        if (!isClosed) warnOnce(TOO_SLOW)
      } catch (error) {
        dropped++
        warnOnce(UNRECORDABLE, reasonOf(error))
      }
    },
    counts: () => ({ written, dropped }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeAll()
      memory?.release(bytesOf(queue))
      dropped += queue.splice(0).length
      if (dropped > 0) log.warn({ file, written, dropped }, 'the recording is incomplete')
    },
  }
}

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((bytes, line) => bytes + line.length, 0)

/** Larger exchanges are redacted outside the event loop: redacting takes about ten times as long as all other work on a text. */
const LARGE_BYTES = 32 * 1024
/** The memory that this takes, in exchange sizes: two copies of the exchange, and its line. */
const LINE_FACTOR = 3

const UNWRITABLE = 'the recording cannot be written'
const TOO_SLOW = 'the recording is written too slowly: exchanges are dropped'
const UNRECORDABLE = 'an exchange cannot be recorded'

/**
 * Returns the file to record in. Replicas share their configuration, so in a directory each replica has its own file,
 * `<replica>.ndjson`. A path that ends with `/` is a directory, and is created if it does not exist. Rejects with the system's
 * error.
 */
export async function recordTarget(path: string, replica: string): Promise<string> {
  if (path.endsWith('/')) await mkdir(path, { recursive: true, mode: 0o700 })
  return (await isDirectory(path)) ? join(path, `${nameOf(replica)}.ndjson`) : path
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** Returns a file name that is unique per replica, not hidden, and never in another directory. */
const nameOf = (replica: string): string => encodeURIComponent(replica).replace(/^\./, '%2E')
