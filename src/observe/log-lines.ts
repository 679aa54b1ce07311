import { type DestinationStream, pino } from 'pino'

/** So many characters are written at once, and nothing waits longer than that. */
const BATCH = 32_768
const WAIT_MS = 100

/** Where the log goes. */
export interface LogLines extends DestinationStream {
  /** Writes this text before the lines that were held back, and holds none back any more. */
  release(first: string): void
  /** Writes what is still to be written, before it returns. */
  flushSync(): void
}

/**
 * Writes lines to standard output together, a tenth of a second late at most: one at a time they would cost a call more than
 * what they tell of it.
 * @param isHeldBack until `release` or `flushSync` nothing is written.
 * @param fd another file than standard output.
 */
export function openLogLines({ isHeldBack = false, fd = 1 } = {}): LogLines {
  const out = pino.destination({ fd, sync: false })
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
  let isHeld = isHeldBack
  const writeAll = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (length === 0) return
    out.write(lines.join(''))
    lines = []
    length = 0
  }
  return {
    write(line) {
      lines.push(line)
      length += line.length
      if (isHeld) return
      if (length >= BATCH) writeAll()
      else timer ??= setTimeout(writeAll, WAIT_MS).unref()
    },
    release(first) {
      isHeld = false
      lines.unshift(first)
      length += first.length
      writeAll()
    },
    flushSync() {
      writeAll()
      out.flushSync()
    },
  }
}
