import { plural } from '../../compare/report/report-words.ts'
import { readRecording } from '../../recording/read-recording.ts'
import type { ScannedRecording } from '../../recording/read-recordings.ts'
import type { BadEntry } from '../../recording/read-request.ts'

/** The result of reading all files once. */
export interface Scan {
  readonly files: readonly ScannedRecording[]
  readonly exchanges: number
  /** What cannot be read: how many lines, and the first ones. */
  readonly unreadable: { readonly count: number; readonly first: readonly (BadEntry & { readonly file: string })[] }
}

/** The most problems to keep for the reports. */
const KEPT = 20
/** How often to print progress while a large file is read. */
const SAY_EVERY_MS = 5_000

/**
 * Reads the files once before the replay, one after the other. Counts the exchanges, finds out when each file starts, and
 * says why each unreadable line cannot be read.
 * @throws RecordingError if a file cannot be read.
 */
export async function scanRecordings(paths: readonly string[], say: (text: string) => void): Promise<Scan> {
  const files: ScannedRecording[] = []
  const first: (BadEntry & { readonly file: string })[] = []
  let exchanges = 0
  let count = 0
  let path = ''
  const timer = setInterval(() => say(`Reading ${path}: ${plural(exchanges, 'exchange')} so far`), SAY_EVERY_MS)
  try {
    for (path of paths) {
      let startsAt = Number.NEGATIVE_INFINITY
      for await (const entry of readRecording(path)) {
        if ('problem' in entry) {
          say(`${path}:${entry.line}: ${entry.problem}`)
          if (count++ < KEPT) first.push({ file: path, ...entry })
          continue
        }
        exchanges++
        if (startsAt === Number.NEGATIVE_INFINITY) startsAt = entry.at?.getTime() ?? startsAt
      }
      files.push({ path, startsAt })
    }
  } finally {
    clearInterval(timer)
  }
  return { files, exchanges, unreadable: { count, first } }
}
