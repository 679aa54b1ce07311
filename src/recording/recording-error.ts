import { getSystemErrorMessage } from 'node:util'

/** Thrown when a recording cannot be read or written at all; the message names the file and the reason. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

/** Thrown when nothing in a file can be read as a recording; the message says what it looks like, and what can be read. */
export class WrongKindError extends RecordingError {}

export function toRecordingError(file: string, cause: unknown): RecordingError {
  return new RecordingError(`${file}: ${reasonOf(cause)}`, { cause })
}

/** Returns the reason of an error; for a system error, in the operating system's words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isSystemError = 'errno' in error && typeof error.errno === 'number' && 'syscall' in error
  return isSystemError ? getSystemErrorMessage(error.errno as number) : error.message
}
