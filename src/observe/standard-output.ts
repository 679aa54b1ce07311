import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** A destination for bytes that may be full, slow or gone. */
export interface ByteSink {
  /**
   * Writes all bytes as soon as there is room. Calls `done` once, later: with null, or with the error and the number of bytes
   * written before it. One write at a time.
   */
  write(bytes: Uint8Array, done: (error: NodeJS.ErrnoException | null, written: number) => void): void
  /** Writes as many bytes as there is room for now, and returns how many. Never throws. */
  writeNow(bytes: Uint8Array): number
}

/** Opens standard output. No write blocks the event loop, regardless of what standard output is connected to. */
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
