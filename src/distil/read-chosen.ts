import { inTimeOrder, timeSpan } from '../recording/in-time-order.ts'
import { mergeByTime } from '../recording/merge-by-time.ts'
import { readRecording } from '../recording/read-recording.ts'
import { RecordingError } from '../recording/recording-error.ts'
import type { Chosen } from './choose.ts'
import type { Choice, Place } from './choose-exchanges.ts'
import type { SortedExchange } from './look-at-exchanges.ts'

/** A kept exchange with its content. */
export interface ReadAgain {
  readonly chosen: Chosen<Place>
  /** When it was made; undefined: the file does not say. */
  readonly at: Date | undefined
  readonly exchange: SortedExchange
}

/**
 * Reads the chosen exchanges again, in the order of their times. Holds those of a file in memory that are out of order, else one per
 * file at a time.
 * @throws RecordingError if a file cannot be read, or has changed meanwhile.
 */
export function readChosen({ files, chosen, looking }: Choice): AsyncGenerator<ReadAgain> {
  const sources = files.flatMap((path, file) => {
    const places = new Map(
      chosen.filter(({ candidate }) => candidate.file === file).map((one) => [one.candidate.line, one]),
    )
    if (places.size === 0) return []
    const times = [...places.values()].map(({ candidate }) => candidate).sort((one, other) => one.line - other.line)
    const span = timeSpan()
    for (const { time } of times) span.add(time === Number.NEGATIVE_INFINITY ? undefined : time)
    async function* entries(): AsyncGenerator<ReadAgain> {
      let left = places.size
      for await (const entry of readRecording(path, { everything: true, only: new Set(places.keys()) })) {
        const one = places.get(entry.line)
        if (one === undefined || 'problem' in entry) continue
        const exchange = looking.sort(entry)
        if (exchange.line.length !== one.candidate.size) break
        yield { chosen: one, at: entry.at, exchange }
        if (--left === 0) return
      }
      if (left > 0)
        throw new RecordingError(`${path}: changed while it was read; distil files that are no longer written to`)
    }
    const ordered = (): AsyncGenerator<ReadAgain> => inTimeOrder(entries(), timeOf, span.lateBy())
    return [{ startsAt: span.startsAt(), entries: ordered }]
  })
  return mergeByTime(sources, timeOf)
}

const timeOf = ({ chosen }: ReadAgain): number => chosen.candidate.time
