import { type DestinationStream, pino } from 'pino'

/** So many characters are written at once, and nothing waits longer than that. */
const BATCH = 32_768
const WAIT_MS = 100

/** Where the log goes. */
export interface LogLines extends DestinationStream {
  /** Writes what is still to be written, before it returns. */
  flushSync(): void
}

/**
 * Writes lines to standard output together, a tenth of a second late at most: one at a time they would cost a call more than
 * what they tell of it.
 * @param fd another file than standard output.
 */
export function openLogLines(fd = 1): LogLines {
  const out = pino.destination({ fd, sync: false })
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined
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
      if (length >= BATCH) writeAll()
      else timer ??= setTimeout(writeAll, WAIT_MS).unref()
    },
    flushSync() {
      writeAll()
      out.flushSync()
    },
  }
}
