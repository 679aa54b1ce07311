import { fstatSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { styleText } from 'node:util'
import { reasonOf } from '../common/reason-of.ts'
import type { Style } from '../common/tables.ts'

/** The exit code if the command line is wrong. */
export const USAGE = 2

/** Printed below an error in options or arguments. */
export const SEE_HELP = 'Add --help for usage.'

/** The options are wrong. The message lists all problems, without secrets. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

/**
 * Runs a command and returns its exit code. If it fails, prints the error: only the message if an operator can fix the cause, otherwise
 * the stack too.
 * @param failed the exit code then, unless the options are wrong.
 * @param expected the kinds of errors that an operator can fix.
 */
export async function orSayWhy(
  failed: number,
  expected: readonly (new (...args: never[]) => Error)[],
  command: () => Promise<number>,
): Promise<number> {
  try {
    return await command()
  } catch (error) {
    const isExpected = [OptionsError, ...expected].some((kind) => error instanceof kind)
    console.error(isExpected ? (error as Error).message : error)
    if (!(error instanceof OptionsError)) return failed
    console.error(SEE_HELP)
    return USAGE
  }
}

/** Marks up text if the stream is a terminal. */
export const styleFor =
  (stream: NodeJS.WriteStream): Style =>
  (format, text) =>
    styleText(format, text, { stream })

/** Replaces characters that could control a terminal or cannot be seen. The text comes from services, clients or other people. */
export const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\ufffd')

/** Writes JSON that cannot control a terminal. It escapes such characters: in JSON they occur only within strings. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/[^\P{C}\n]/gu, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

/** Writes a file completely or not at all. Rejects with the system's error. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.tmp`
  try {
    await writeFile(unfinished, text)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

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
