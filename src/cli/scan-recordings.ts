import { counted } from '../common/figures.ts'
import type { Listener } from '../recordings/distil/choose-exchanges.ts'
import type { FoundRecordings } from '../recordings/find-recordings.ts'
import type { ScannedRecording } from '../recordings/merge-recordings.ts'
import { readRecording } from '../recordings/read-recording.ts'
import type { BadEntry } from '../recordings/recorded-exchange.ts'
import { WrongKindError } from '../recordings/recorded-exchange.ts'
import { TimeSpan } from '../recordings/time-order.ts'

type Unreadable = Pick<BadEntry, 'line' | 'problem'> & { readonly file: string }

/** The result of reading all files once. */
interface Scan {
  readonly files: readonly ScannedRecording[]
  /** The calls, also those that cannot be replayed. */
  readonly exchanges: number
  /** The calls that cannot be replayed as they were. */
  readonly unplayable: number
  /** What cannot be read: how many lines, and the first ones. */
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
}

/** The most problems for the reports. */
const MOST_REPORTED = 20
/** The most problems of a file to print. */
const MOST_PRINTED = 10
/** The most skipped files to name. */
const MOST_NAMED = 5
/** How often to print progress while a large file is read. */
const PRINT_EVERY_MS = 5_000

/**
 * Reads the files once before the replay, one after the other. Counts the exchanges, finds out when each file starts and how far it
 * is out of order, and says why the first lines that cannot be read or replayed cannot. Leaves out a file of another kind if it was
 * found in a directory.
 * @throws RecordingError if a file cannot be read.
 */
export async function scanRecordings({ files: paths, given }: Pick<FoundRecordings, 'files' | 'given'>): Promise<Scan> {
  const files: ScannedRecording[] = []
  const first: Unreadable[] = []
  const reading = printReading()
  let [exchanges, unplayable, count] = [0, 0, 0]

  const scan = async (path: string): Promise<void> => {
    const span = new TimeSpan()
    for await (const entry of readRecording(path)) {
      reading.read(path, exchanges)
      if ('problem' in entry) reading.unreadable({ file: path, line: entry.line, problem: entry.problem })
      if (!('problem' in entry)) span.add(entry.at?.getTime())
      else if (entry.call !== undefined) unplayable++
      else {
        if (count++ < MOST_REPORTED) first.push({ file: path, line: entry.line, problem: entry.problem })
        continue
      }
      exchanges++
    }
    reading.endFile()
    files.push({ path, startsAt: span.startsAt, lateBy: span.lateBy })
  }

  try {
    for (const path of paths) {
      await scan(path).catch((error: unknown) => {
        if (!(error instanceof WrongKindError) || given.has(path)) throw error
        reading.leftOut(error.message)
      })
    }
  } finally {
    reading.stop()
  }
  return { files, exchanges, unplayable, unreadable: { count, first } }
}

/** Prints how far reading has come, and the first problems of each file. */
export function printReading(): Listener & { stop(): void } {
  let [file, exchanges, problems] = ['', 0, 0]
  const timer = setInterval(() => {
    if (file !== '') console.error(`Reading ${file}: ${counted(exchanges, 'exchange')} so far`)
  }, PRINT_EVERY_MS)
  return {
    read(path, count) {
      file = path
      exchanges = count
    },
    unreadable({ file: path, line, problem }) {
      file = path
      if (problems++ < MOST_PRINTED) console.error(`${path}:${line}: ${problem}`)
    },
    leftOut: (why) => console.error(`${why}: it is left out`),
    endFile() {
      const more = problems - MOST_PRINTED
      if (more > 0) console.error(`${file}: ${more} more that cannot be read, or not replayed as they were`)
      problems = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** Names the files in directories that are not read. */
export function printLeftOut(leftOut: readonly string[]): void {
  for (const file of leftOut.slice(0, MOST_NAMED)) {
    console.error(`${file}: left out: its name is not that of a recording`)
  }
  if (leftOut.length > MOST_NAMED) console.error(`${counted(leftOut.length - MOST_NAMED, 'more file')} left out`)
}
