import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Somewhere that bytes are written to, which may be full, slow, or gone. */
export interface ByteSink {
  /**
   * Writes all of it, as soon as there is room, and tells so once, later; or tells why it could not, and how many bytes it wrote
   * all the same. One write at a time.
   */
  write(bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void): void
  /** Writes as much as there is room for now, and returns how many bytes that was. Never throws. */
  writeNow(bytes: Uint8Array): number
}

/** Standard output. No write to it holds up the event loop, whatever it leads to. */
export function openStandardOutput(): ByteSink {
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
 * A pipe or a socket: a thread that writes to it would wait for a reader that hangs, and the process for the thread when it
 * exits. Node's own stream waits in the event loop, and is never closed: another file would get its descriptor.
 */
function writeToReader(): ByteSink['write'] {
  // Each write is told of its own failure, such as that of a reader that is gone.
  process.stdout.on('error', () => undefined)
  return (bytes, done) => {
    process.stdout.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length))
  }
}

/** A thread of the pool writes, since a disk may be slow. */
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

/** A terminal may be stopped (Ctrl-S). Opened anew, it can be written to without waiting, and is left to others as it was. */
function terminal(): number {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return 1
  }
}
