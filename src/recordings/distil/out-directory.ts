import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../../common/reason-of.ts'

/** Thrown if the directory cannot or must not be written. */
export class OutError extends Error {
  override readonly name = 'OutError'
}

/** The names that distil writes into a directory: the report, all files, and the directory of the golden cases. */
export const REPORT = 'distil.json'
const FILES = ['recording.ndjson', 'recording.har', REPORT]
export const CASES = 'cases'
/** Matches a golden case in `distil.json`, but no path out of the directory. */
const CASE = /^cases\/[\w-]+\/[\w-]+\.json$/

/** A directory that is filled completely or not at all. */
interface OutDirectory {
  /** The directory to write to until `finish`. */
  readonly unfinished: string
  /** Moves the written files to their place. */
  finish(): Promise<void>
  /** Removes the written files, unless they were finished. */
  discard(): Promise<void>
}

/**
 * Opens a directory to write to, and creates it with its parents.
 * @param replaces whether files that distil wrote there before are replaced; otherwise the directory must be empty.
 * @throws OutError
 */
export async function openOut(directory: string, replaces: boolean): Promise<OutDirectory> {
  const unfinished = join(directory, `.distil-${process.pid}.tmp`)
  const orSayWhy = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => Promise.reject(outErrorOf(directory, error)))
  const open = async (): Promise<readonly string[]> => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const old = await ownFiles(directory, replaces)
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { mode: 0o700 })
    return old
  }
  const old = await orSayWhy(open())
  const finish = async (): Promise<void> => {
    for (const file of old) {
      await rm(join(directory, file), { force: true })
      // Other people's files may be there too.
      if (file.startsWith(CASES)) await rmdir(dirname(join(directory, file))).catch(() => undefined)
    }
    for (const file of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      const from = join(file.parentPath, file.name)
      const to = join(directory, from.slice(unfinished.length))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await rename(from, to)
    }
    await rm(unfinished, { recursive: true, force: true })
  }
  return {
    unfinished,
    finish: () => orSayWhy(finish()),
    discard: () => rm(unfinished, { recursive: true, force: true }),
  }
}

/** Returns the error to throw: a system error gets the name of the directory. */
export function outErrorOf(directory: string, error: unknown): unknown {
  const isSystemError = error instanceof Error && 'errno' in error
  return isSystemError ? new OutError(`--out ${directory}: ${reasonOf(error)}`) : error
}

/** Returns the files of an earlier run, which are replaced. */
async function ownFiles(directory: string, replaces: boolean): Promise<readonly string[]> {
  if ((await readdir(directory)).length === 0) return []
  const cases = await casesIn(directory)
  if (cases === undefined) {
    throw new OutError(`--out ${directory}: not empty, and not a directory that distil made: name another one`)
  }
  if (!replaces) throw new OutError(`--out ${directory}: not empty: add --force to replace what distil wrote there`)
  return [...FILES, ...cases]
}

/** Returns the golden cases of an earlier run; undefined: distil wrote nothing there. */
async function casesIn(directory: string): Promise<readonly string[] | undefined> {
  try {
    const report = JSON.parse(await readFile(join(directory, REPORT), 'utf8')) as Record<string, unknown>
    if (report.distil !== 1 || !Array.isArray(report.exchanges)) return undefined
    return report.exchanges
      .map((one: unknown) => Object(one).case as unknown)
      .filter((name): name is string => typeof name === 'string' && CASE.test(name))
  } catch {
    return undefined
  }
}
