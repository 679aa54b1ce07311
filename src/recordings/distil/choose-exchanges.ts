import { readRecording } from '../read-recording.ts'
import { RecordingError, WrongKindError } from '../recorded-exchange.ts'
import { inTimeOrder, mergeByTime, TimeSpan } from '../time-order.ts'
import { type Candidate, Candidates, type Chosen, choose } from './choose.ts'
import { ElementBook } from './cover.ts'
import { type DistilSources, type Looking, lookAtExchanges, type SortedExchange } from './look-at-exchanges.ts'

/** An exchange that may be kept, without its bodies. */
interface Place extends Candidate {
  /** The number of its file. */
  readonly file: number
  readonly line: number
  /** When it was made, in ms; an exchange without a time takes that of the one before it in its file. */
  readonly time: number
  readonly operation: string
}

/** The files to distil, and the limits. */
interface ToDistil {
  readonly files: readonly string[]
  /** The files that were given themselves. Others are left out if they are of another kind. */
  readonly given: ReadonlySet<string>
  /** The most exchanges to keep; undefined: no limit. */
  readonly max: number | undefined
  /** Ids of the operations that count; empty: all. */
  readonly only: readonly string[]
}

/** A line that could not be read. */
export interface Unreadable {
  readonly file: string
  readonly line: number
  readonly problem: string
}

/** Called while files are read. */
export interface Listener {
  /** Called after each exchange. */
  read(file: string, exchanges: number): void
  /** Called for each line that cannot be read, or not kept as it was. */
  unreadable(problem: Unreadable): void
  endFile(): void
  /** Called for each file that is left out. @param why names it. */
  leftOut(why: string): void
}

/** The exchanges of one operation that were read, and that are kept. */
export interface DistilledCounts {
  readonly operation: string
  readonly read: number
  readonly kept: number
  readonly elements: number
  readonly covered: number
}

/** The exchanges that are kept, and the reasons. */
export interface Choice {
  readonly files: readonly string[]
  readonly looking: Looking
  readonly book: ElementBook
  /** The best first. */
  readonly chosen: readonly Chosen<Place>[]
  readonly operations: readonly DistilledCounts[]
  readonly read: number
  readonly bytes: number
  readonly leftOut: number
  readonly redacted: number
  readonly covered: number
  readonly unreadable: { readonly count: number; readonly first: readonly Unreadable[] }
}

/** The most problems kept for the report. */
const KEPT = 20

/**
 * Reads all files once, one after the other, and chooses few exchanges that cover as much as all. Memory holds only what each
 * exchange covers, so files may be of any size.
 * @throws RecordingError if a file cannot be read; the signal's reason if it aborts.
 */
export async function chooseExchanges(
  { files, given, max, only }: ToDistil,
  sources: DistilSources,
  listener: Listener,
  signal: AbortSignal,
): Promise<Choice> {
  const book = new ElementBook()
  const looking = lookAtExchanges(sources, book)
  const candidates = new Candidates<Place>()
  const readBy = new Map<string, number>()
  const first: Unreadable[] = []
  let [problems, leftOut, redacted, read, bytes, index] = [0, 0, 0, 0, 0, 0]
  const noteProblem = (path: string, line: number, problem: string): void => {
    const unreadable = { file: path, line, problem }
    listener.unreadable(unreadable)
    if (problems++ < KEPT) first.push(unreadable)
  }
  const look = async (file: number, path: string): Promise<void> => {
    let time = Number.NEGATIVE_INFINITY
    for await (const entry of readRecording(path, { everything: true })) {
      signal.throwIfAborted()
      if ('problem' in entry) {
        noteProblem(path, entry.line, entry.problem)
        continue
      }
      const exchange = looking.sort(entry)
      const { operation, line, omitted } = exchange
      if (omitted !== undefined) {
        noteProblem(path, entry.line, omitted)
        continue
      }
      time = entry.at?.getTime() ?? time
      if (only.length > 0 && !only.includes(operation)) {
        leftOut++
        continue
      }
      read++
      if (exchange.isRedacted) redacted++
      bytes += line.length + 1
      readBy.set(operation, (readBy.get(operation) ?? 0) + 1)
      const elements = looking.elementsOf(exchange)
      candidates.add({ elements, size: line.length, index: index++, file, line: entry.line, time, operation })
      listener.read(path, read)
    }
    listener.endFile()
  }
  for (const [file, path] of files.entries()) {
    await look(file, path).catch((error: unknown) => {
      if (!(error instanceof WrongKindError) || given.has(path)) throw error
      listener.leftOut(error.message)
    })
  }
  const all = choose(candidates.all(), book.count)
  const chosen = max === undefined ? all : all.slice(0, max)
  const covered = new Set(chosen.flatMap(({ candidate }) => [...candidate.elements]))
  return {
    ...{ files, looking, book, read, bytes, leftOut, redacted },
    chosen:
      max === undefined || max >= all.length
        ? chosen
        : choose(
            chosen.map(({ candidate }) => candidate),
            book.count,
          ),
    operations: countsOf(book, readBy, chosen, covered),
    covered: covered.size,
    unreadable: { count: problems, first },
  }
}

/** Counts by operation, in the order in which operations first appeared. */
function countsOf(
  book: ElementBook,
  readBy: ReadonlyMap<string, number>,
  chosen: readonly Chosen<Place>[],
  covered: ReadonlySet<number>,
): readonly DistilledCounts[] {
  const numbers = Array.from({ length: book.count }, (_, number) => number)
  return [...readBy].map(([operation, read]) => {
    const elements = numbers.filter((number) => book.operationAt(number) === operation)
    return {
      ...{ operation, read },
      kept: chosen.filter(({ candidate }) => candidate.operation === operation).length,
      elements: elements.length,
      covered: elements.filter((number) => covered.has(number)).length,
    }
  })
}

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
    const span = new TimeSpan()
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
    const ordered = (): AsyncGenerator<ReadAgain> => inTimeOrder(entries(), timeOf, span.lateBy)
    return [{ startsAt: span.startsAt, entries: ordered }]
  })
  return mergeByTime(sources, timeOf)
}

const timeOf = ({ chosen }: ReadAgain): number => chosen.candidate.time
