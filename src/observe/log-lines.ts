import type { DestinationStream } from 'pino'
import { type ByteSink, openStandardOutput } from './standard-output.ts'

/** So many characters are written at once, and nothing waits longer than that for it. */
const BATCH = 32_768
const WAIT_MS = 100
/** So much may wait while nothing can be written, in characters; further lines are dropped. */
const MOST_WAITING = 4_194_304
/** When a write is tried again that failed, and one that had no room yet. */
const RETRY_MS = 1_000
const NO_ROOM_MS = 10
/** How long the last lines are tried before the process ends. */
const LAST_LINES_MS = 200

const NOTHING = Buffer.alloc(0)
const NEWLINE = Buffer.from('\n')

/** Where the log goes. */
export interface LogLines extends DestinationStream {
  /** Writes this text before the lines that were held back, and holds none back any more. */
  release(first: string): void
  /** Writes what is still to be written before it returns, as far as that can be done within a fifth of a second. */
  flushSync(): void
  /** How many lines were dropped so far, because they could not be written. */
  dropped(): number
}

export interface LogLinesOptions {
  /** Until `release` or `flushSync` nothing is written. */
  readonly isHeldBack?: boolean
  readonly sink?: ByteSink
  readonly retryMs?: number
}

/**
 * Writes lines to standard output together, a tenth of a second late at most: one at a time they would cost a call more than
 * what they tell of it. A disk that is full, or a reader that hangs or is gone, costs lines and nothing else: they wait within a
 * bound, newer ones are dropped, and where those are missing a line says how many.
 */
export function openLogLines({
  isHeldBack = false,
  sink = openStandardOutput(),
  retryMs = RETRY_MS,
}: LogLinesOptions = {}): LogLines {
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let isHeld = isHeldBack
  /** What is being written, or is left of a write that failed. */
  let rest: Buffer = NOTHING
  let isWriting = false
  let dropped = 0
  /** How many of those a line tells of. */
  let told = 0

  const add = (line: string): void => {
    lines.push(line)
    length += line.length
  }
  const take = (): Buffer => {
    const text = lines.join('')
    lines = []
    length = 0
    return Buffer.from(text)
  }
  const writeAfter = (milliseconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(writeAll, milliseconds).unref()
  }
  const writeAll = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    if (rest.length === 0) rest = take()
    if (rest.length === 0) return
    isWriting = true
    sink.write(rest, written)
  }
  const written = (error: NodeJS.ErrnoException | null, bytes: number): void => {
    isWriting = false
    rest = rest.subarray(bytes)
    if (error === null) {
      if (dropped > told) add(droppedLine(dropped - told))
      told = dropped
      if (length > 0) writeAfter(length < BATCH ? WAIT_MS : 0)
    } else writeAfter(error.code === 'EAGAIN' ? NO_ROOM_MS : retryMs)
  }
  return {
    write(line) {
      if (length + rest.length + line.length > MOST_WAITING) {
        dropped++
        return
      }
      add(line)
      if (isHeld) return
      if (length >= BATCH && rest.length === 0) writeAll()
      else timer ??= setTimeout(writeAll, WAIT_MS).unref()
    },
    release(first) {
      isHeld = false
      lines.unshift(first)
      length += first.length
      writeAll()
    },
    flushSync() {
      // Where a write is under way ends nobody knows: perhaps within a line.
      let left: Buffer = Buffer.concat([isWriting ? NEWLINE : rest, take()])
      if (left.equals(NEWLINE)) return
      if (!isWriting) rest = NOTHING
      for (const end = performance.now() + LAST_LINES_MS; left.length > 0 && performance.now() < end; ) {
        const bytes = sink.writeNow(left)
        left = left.subarray(bytes)
        if (bytes === 0) sleep(NO_ROOM_MS)
      }
    },
    dropped: () => dropped,
  }
}

/** Nothing else happens meanwhile. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** In the form of the other lines; level 40 is a warning. */
function droppedLine(count: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped: count, msg: 'log lines are missing here: they could not be written' })}\n`
}
