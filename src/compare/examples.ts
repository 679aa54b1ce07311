import { bytesOf, MOST_VALUES, type ShownValue, type ShownValues } from './show-values.ts'

/** The values of one difference in one exchange, redacted. Kept in memory only. */
export interface ShownExample extends ShownValue {
  readonly at: string
  /** The call that shows the difference, as a command for a shell. */
  readonly curl: string
  /** The same call, sent to the legacy service itself. */
  readonly legacyCurl: string
  /** The query that fills in the page Explain with the call; undefined: none. */
  readonly explain?: string | undefined
}

/** How many examples are kept, shortened and dropped. */
export interface ExampleCounts {
  /** The memory that the kept examples take. */
  readonly bytes: number
  /** Values that were shortened since the gateway started. */
  readonly cut: number
  /** Examples that were not kept since the gateway started, or were removed for later ones, because there was no room. */
  readonly dropped: number
}

type ShownCall = Pick<ShownExample, 'curl' | 'legacyCurl' | 'explain'>

export interface Examples {
  /** Keeps what one exchange shows. `call` returns the redacted call; it is called only if something is kept. */
  keep(operation: string, shown: ShownValues, at: Date, call: () => ShownCall): void
  /** Returns the examples of an operation, the latest first. */
  of(operation: string): readonly ShownExample[]
  counts(): ExampleCounts
}

/** Examples kept per kind and path. */
const LATEST = 5
/** The most kinds and paths with examples per operation; further ones appear in the counts only. */
const MAX_PLACES = MOST_VALUES
/** The most memory that all examples may take. */
const MAX_BYTES = 8 * 1024 * 1024

/** An exchange whose call is kept as long as one of its examples is. */
interface Call {
  readonly shown: ShownCall
  readonly bytes: number
  examples: number
}

interface Kept {
  readonly example: ShownExample
  readonly operation: string
  readonly call: Call
}

const keyOf = ({ kind, path }: ShownValue): string => `${kind} ${path}`

/** Keeps examples of differences in memory, within a bound: new examples replace the oldest. */
export function keepExamples(maxBytes = MAX_BYTES): Examples {
  /** By operation, and by kind and path; the latest first. */
  const places = new Map<string, Map<string, Kept[]>>()
  /** The oldest first. */
  const all = new Set<Kept>()
  let [bytes, cut, dropped] = [0, 0, 0]

  const remove = (kept: Kept): void => {
    const { example, operation, call } = kept
    all.delete(kept)
    bytes -= bytesOf(example)
    if (--call.examples === 0) bytes -= call.bytes
    const ofOperation = places.get(operation)
    const rest = ofOperation?.get(keyOf(example))?.filter((other) => other !== kept) ?? []
    if (rest.length > 0) ofOperation?.set(keyOf(example), rest)
    else ofOperation?.delete(keyOf(example))
  }

  return {
    keep(operation, shown, at, makeCall) {
      cut += shown.cut
      dropped += shown.dropped
      const ofOperation = places.get(operation) ?? new Map<string, Kept[]>()
      places.set(operation, ofOperation)
      let call: Call | undefined
      for (const value of shown.values) {
        const same = ofOperation.get(keyOf(value)) ?? []
        if (same.length === 0 && ofOperation.size >= MAX_PLACES) {
          dropped++
          continue
        }
        if (call === undefined) {
          const { curl, legacyCurl, explain } = makeCall()
          const bytesOfCall = Buffer.byteLength(curl) + Buffer.byteLength(legacyCurl) + Buffer.byteLength(explain ?? '')
          call = { shown: { curl, legacyCurl, explain }, bytes: bytesOfCall, examples: 0 }
          bytes += call.bytes
        }
        const kept = { example: { ...value, at: at.toISOString(), ...call.shown }, operation, call }
        call.examples++
        bytes += bytesOf(value)
        all.add(kept)
        ofOperation.set(keyOf(value), [kept, ...same])
        const oldest = same[LATEST - 1]
        if (oldest !== undefined) remove(oldest)
      }
      for (const oldest of all) {
        if (bytes <= maxBytes) break
        remove(oldest)
        dropped++
      }
    },
    of: (operation) => [...(places.get(operation)?.values() ?? [])].flat().map(({ example }) => example),
    counts: () => ({ bytes, cut, dropped }),
  }
}
