import { counted } from '../../common/figures.ts'
import type { FoundRecordings } from '../../recording/find-recordings.ts'
import type { ScannedRecording } from '../../recording/merge-recordings.ts'
import { readRecording } from '../../recording/read-recording.ts'
import type { BadEntry } from '../../recording/recorded-exchange.ts'
import { WrongKindError } from '../../recording/recorded-exchange.ts'
import { timeSpan } from '../../recording/time-order.ts'
import { sayProblems } from './say-problems.ts'

type Unreadable = Pick<BadEntry, 'line' | 'problem'> & { readonly file: string }

/** The result of reading all files once. */
export interface Scan {
  readonly files: readonly ScannedRecording[]
  /** The calls, also those that cannot be replayed. */
  readonly exchanges: number
  /** The calls that cannot be replayed as they were. */
  readonly unplayable: number
  /** What cannot be read: how many lines, and the first ones. */
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
}

/** The most problems to keep for the reports. */
const KEPT = 20
/** How often to print progress while a large file is read. */
const SAY_EVERY_MS = 5_000

/**
 * Reads the files once before the replay, one after the other. Counts the exchanges, finds out when each file starts and how far it
 * is out of order, and says why the first lines that cannot be read or replayed cannot. Leaves out a file of another kind if it was
 * found in a directory.
 * @throws RecordingError if a file cannot be read.
 */
export async function scanRecordings(
  { files: paths, given }: Pick<FoundRecordings, 'files' | 'given'>,
  say: (text: string) => void,
): Promise<Scan> {
  const files: ScannedRecording[] = []
  const first: Unreadable[] = []
  const problems = sayProblems(say)
  let [exchanges, unplayable, count] = [0, 0, 0]
  let path = ''

  const scan = async (): Promise<void> => {
    const span = timeSpan()
    for await (const entry of readRecording(path)) {
      if ('problem' in entry) problems.add(path, entry.line, entry.problem)
      if (!('problem' in entry)) span.add(entry.at?.getTime())
      else if (entry.call !== undefined) unplayable++
      else {
        if (count++ < KEPT) first.push({ file: path, line: entry.line, problem: entry.problem })
        continue
      }
      exchanges++
    }
    problems.endFile()
    files.push({ path, startsAt: span.startsAt(), lateBy: span.lateBy() })
  }

  const timer = setInterval(() => say(`Reading ${path}: ${counted(exchanges, 'exchange')} so far`), SAY_EVERY_MS)
  try {
    for (path of paths) {
      await scan().catch((error: unknown) => {
        if (!(error instanceof WrongKindError) || given.has(path)) throw error
        say(`${error.message}: it is left out`)
      })
    }
  } finally {
    clearInterval(timer)
  }
  return { files, exchanges, unplayable, unreadable: { count, first } }
}
