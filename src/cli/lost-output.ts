import { fstatSync, writeFileSync } from 'node:fs'
import { reasonOf } from '../recording/recorded-exchange.ts'

/** A reader such as `head` may stop reading early, which is not an error. */
const READER_IS_GONE = ['EPIPE', 'ECONNRESET']

/**
 * From now on, the process exits with 2 if standard output could not be written, for example because the disk is full, and
 * says why on stderr. What the process still has to do is done. Errors of stderr itself are ignored.
 */
export function reportLostOutput(): void {
  const { stdout, stderr } = process
  // If only the first part of a text fits, Node's own stream for files drops the rest without an error.
  if (fstatSync(1).isFile()) stdout._write = writeAll
  let first: NodeJS.ErrnoException | undefined
  stdout.on('error', (error) => {
    first ??= error
  })
  stderr.on('error', () => undefined)
  process.on('exit', () => {
    // A command that exits at once, as `--help` does, leaves no time for the event.
    const error: NodeJS.ErrnoException | null = first ?? stdout.errored
    if (error === null || READER_IS_GONE.includes(error.code ?? '')) return
    console.error(`Cannot write the output: ${reasonOf(error)}.`)
    process.exitCode = 2
  })
}

const writeAll: NodeJS.WriteStream['_write'] = (bytes: Uint8Array, _, done) => {
  try {
    writeFileSync(1, bytes)
    done()
  } catch (error) {
    done(error as Error)
  }
}
