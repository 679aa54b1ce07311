import { readRecording } from './read-recording.ts'
import type { BadEntry, ReadOptions, RecordedExchange } from './recorded-exchange.ts'
import { inTimeOrder, mergeByTime } from './time-order.ts'

/** The place of an exchange in its recording. */
export interface Place {
  readonly file: string
  /** The line in the file, or the number of the HAR entry or Postman request, from 1. */
  readonly line: number
}

/** A recording that has been read once. */
export interface ScannedRecording {
  readonly path: string
  /** When the first call with a time was made; ms. `-Infinity`: no call has a time. */
  readonly startsAt: number
  /** How far its entries are out of order; ms (`TimeSpan`). */
  readonly lateBy: number
}

/**
 * Reads the exchanges of several recordings, in the order of the times of the calls. The `line` of each is a number for its place, from
 * which `placeIn` returns file and line; for a single file it is the line. Reads on demand, so files may be of any size.
 * @throws RecordingError if a file cannot be read.
 */
export function readRecordings(
  files: readonly ScannedRecording[],
  options: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  const sources = files.map(({ path, startsAt, lateBy }, index) => ({
    startsAt,
    async *entries() {
      for await (const entry of inTimeOrder(readRecording(path, options), timeOf, lateBy)) {
        yield { ...entry, line: (entry.line - 1) * files.length + index + 1 }
      }
    },
  }))
  return mergeByTime(sources, timeOf)
}

/** Returns the place that a number stands for. */
export function placeIn(files: readonly Pick<ScannedRecording, 'path'>[], number: number): Place {
  const index = (number - 1) % files.length
  return { file: files[index]?.path ?? '', line: (number - 1 - index) / files.length + 1 }
}

const timeOf = (entry: RecordedExchange | BadEntry): number | undefined =>
  'problem' in entry ? undefined : entry.at?.getTime()
