import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { DestinationStream } from 'pino'

/** A batch is written when it has this many characters, or after this time. */
const BATCH = 32_768
const WAIT_MS = 100
/** How many characters may wait while nothing can be written. Further lines are dropped. */
const MOST_WAITING = 4_194_304
/** When to retry a write that failed, and one that found no room. */
const RETRY_MS = 1_000
const NO_ROOM_MS = 10
/** The longest time spent on writing the last lines before the process ends. */
const LAST_LINES_MS = 200

const NOTHING = Buffer.alloc(0)
const NEWLINE = Buffer.from('\n')

/** The destination of the log. */
interface LogLines extends DestinationStream {
  /** Writes this text, then the lines held back, and holds back no more. */
  release(first: string): void
  /** Writes all waiting lines before it returns, within 200 ms at most. */
  flushSync(): void
  /** Returns how many lines were dropped so far because they could not be written. */
  dropped(): number
}

interface LogLinesOptions {
  /** True: nothing is written until `release` or `flushSync`. */
  readonly isHeldBack?: boolean
  /** Rewrites each line, which is JSON; unset: it stays. */
  readonly form?: ((line: string) => string) | undefined
  readonly sink?: ByteSink
  readonly retryMs?: number
}

/**
 * Writes lines to standard output in batches, at most 100 ms late: written one by one, they would cost more than the call
 * itself. A full disk, or a reader that hangs or is gone, costs only log lines. They wait within a bound; newer ones are
 * dropped, and a line says how many are missing.
 */
export function openLogLines({
  isHeldBack = false,
  form = (line) => line,
  sink = openStandardOutput(),
  retryMs = RETRY_MS,
}: LogLinesOptions = {}): LogLines {
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let isHeld = isHeldBack
  /** The bytes being written, or left over from a failed write. */
  let rest: Buffer = NOTHING
  let isWriting = false
  let dropped = 0
  /** How many of the dropped lines have been reported. */
  let reported = 0

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
      if (dropped > reported) add(form(droppedLine(dropped - reported)))
      reported = dropped
      if (length > 0) writeAfter(length < BATCH ? WAIT_MS : 0)
    } else writeAfter(error.code === 'EAGAIN' ? NO_ROOM_MS : retryMs)
  }
  return {
    write(json) {
      const line = form(json)
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
      // A write under way may end within a line.
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

/**
 * Returns what rewrites a line of JSON for people at a terminal, in colors where standard output is one. What clients and services wrote
 * cannot control it.
 */
export async function prettyLines(): Promise<(line: string) => string> {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    colorize: isatty(1),
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  })
  return (line) => pretty(JSON.parse(line, withoutControls)) ?? line
}

const withoutControls = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll(/[^\P{Cc}\n]/gu, '\ufffd') : value

/** Blocks the thread. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Makes a line in the format of the others; level 40 is a warning. */
function droppedLine(count: number): string {
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped: count, msg: 'log lines are missing here: they could not be written' })}\n`
}

/** A destination for bytes that may be full, slow or gone. */
interface ByteSink {
  /**
   * Writes all bytes as soon as there is room. Calls `done` once, later: with null, or with the error and the number of bytes
   * written before it. One write at a time.
   */
  write(bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void): void
  /** Writes as many bytes as there is room for now, and returns how many. Never throws. */
  writeNow(bytes: Uint8Array): number
}

/** Opens standard output. No write blocks the event loop, regardless of what standard output is connected to. */
function openStandardOutput(): ByteSink {
  const kind = fstatSync(1)
  const fd = isatty(1) ? terminal() : 1
  return {
    write: kind.isFIFO() || kind.isSocket() ? writeToReader() : writeToFile(fd),
    writeNow(bytes) {
      try {
        return writeSync(fd, bytes)
      } catch {
        return 0
      }
    },
  }
}

/**
 * Writes to a pipe or a socket. A thread would block on a reader that hangs, and the process would wait for the thread at
 * exit. Node's own stream waits in the event loop instead. It is never closed: another file would get its descriptor.
 */
function writeToReader(): ByteSink['write'] {
  // Each write reports its own error, such as a reader that is gone.
  process.stdout.on('error', () => undefined)
  return (bytes, done) => {
    process.stdout.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length))
  }
}

/** Writes to a file in a thread of the pool, because a disk may be slow. */
function writeToFile(fd: number): ByteSink['write'] {
  return (bytes, done) => {
    const writeFrom = (start: number): void =>
      write(fd, bytes, start, (error, written) => {
        if (error === null && start + written < bytes.length) writeFrom(start + written)
        else done(error, error === null ? bytes.length : start)
      })
    writeFrom(0)
  }
}

/** Opens the terminal again for non-blocking writes, because it may be stopped (Ctrl-S). Other programs' descriptors stay as they are. */
function terminal(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return 1
  }
}
