import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the file to record in. Replicas share their configuration, so in a directory each replica has its own file,
 * `<replica>.ndjson`. A path that ends with `/` is a directory, and is created if it does not exist. Rejects with the system's
 * error.
 */
export async function recordTarget(path: string, replica: string): Promise<string> {
  if (path.endsWith('/')) await mkdir(path, { recursive: true, mode: 0o700 })
  return (await isDirectory(path)) ? join(path, `${nameOf(replica)}.ndjson`) : path
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true
}

/** Returns a file name that is unique per replica, not hidden, and never in another directory. */
const nameOf = (replica: string): string => encodeURIComponent(replica).replace(/^\./, '%2E')
