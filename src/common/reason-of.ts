import { getSystemErrorMessage } from 'node:util'

/** Returns the reason of an error; for a system error, in the operating system's words: `no such file or directory`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isSystemError = 'errno' in error && typeof error.errno === 'number' && 'syscall' in error
  return isSystemError ? getSystemErrorMessage(error.errno as number) : error.message
}
