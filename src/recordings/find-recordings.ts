import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { RecordingError, toRecordingError } from './recorded-exchange.ts'

export interface FoundRecordings {
  /** The files in the order of the paths, and within a directory by name. Each file appears once. */
  readonly files: readonly string[]
  /** The files that were given themselves, not in a directory. */
  readonly given: ReadonlySet<string>
  /** Files in the directories that are not named like recordings. */
  readonly leftOut: readonly string[]
}

/** Matches the names of recordings, including those rotated by the gateway (`.ndjson.1`, `.ndjson.gz.1`) or by logrotate (`.ndjson.1.gz`). */
const NAME = /\.(?:ndjson|jsonl|har|json)(?:\.gz|\.\d+)*$/i
export const isNamedLikeRecording = (path: string): boolean => NAME.test(path)

/**
 * Returns the files of a recording. A directory stands for the recordings in it, without hidden files and subdirectories. A file
 * that is found twice, even by another name, is read once, because its calls were made once.
 * @param mayBeSecret whether a path that does not exist may be a secret after a mistyped option. Its number stands for its name.
 * @throws RecordingError that names all paths that do not exist, or a directory that has no recording.
 */
export async function findRecordings(
  paths: readonly string[],
  mayBeSecret: (path: string) => boolean = () => false,
): Promise<FoundRecordings> {
  const files = new Map<string, string>()
  const given = new Set<string>()
  const leftOut: string[] = []
  const nameOf = (path: string, index: number): string =>
    paths.length > 1 && mayBeSecret(path) ? `path ${index + 1} of ${paths.length}` : path
  const stats = await Promise.allSettled(paths.map((path, index) => statOf(path, nameOf(path, index))))
  const problems = stats.flatMap((stat) => (stat.status === 'rejected' ? [(stat.reason as Error).message] : []))
  if (problems.length > 0) throw new RecordingError(problems.join('\n'))
  for (const [index, path] of paths.entries()) {
    const stat = stats[index]
    if (stat?.status !== 'fulfilled') continue
    if (stat.value.isDirectory()) leftOut.push(...(await addAll(files, path)))
    else {
      given.add(path)
      add(files, path, stat.value)
    }
  }
  return { files: [...files.values()], given, leftOut }
}

/** Adds the recordings of a directory. Returns the files that are left out. */
async function addAll(files: Map<string, string>, directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((error: unknown) => Promise.reject(toRecordingError(directory, error)))
  const leftOut: string[] = []
  let count = 0
  for (const name of names.sort()) {
    if (name.startsWith('.')) continue
    const path = join(directory, name)
    const stats = await statOf(path)
    if (stats.isDirectory()) continue
    if (!isNamedLikeRecording(name)) leftOut.push(path)
    else {
      count++
      add(files, path, stats)
    }
  }
  if (count === 0) throw new RecordingError(`${directory}: ${NONE}`)
  return leftOut
}

const NONE =
  'no recording in this directory: its files must be named .ndjson, .jsonl, .har or .json, with or without .gz or a number'

const add = (files: Map<string, string>, path: string, { dev, ino }: BigIntStats): void => {
  const identity = `${dev}:${ino}`
  if (!files.has(identity)) files.set(identity, path)
}

/** @param name the name of the path in errors. */
const statOf = (path: string, name = path): Promise<BigIntStats> =>
  stat(path, { bigint: true }).catch((error: unknown) => Promise.reject(toRecordingError(name, error)))
