import type { Difference, Kind } from './diff/difference.ts'
import { boundedText, type JsonValue } from './diff/json-value.ts'
import { isCut, segmentsOf } from './diff/path.ts'
import { type Expectations, whyIgnored } from './expected/expectations.ts'
import type { Observation } from './observation.ts'

/** The values of one difference in one exchange, redacted: JSON texts, which may be cut; null: the side has no value there. */
export interface ShownValue {
  readonly kind: Kind
  readonly path: string
  readonly control: string | null
  readonly candidate: string | null
}

/** The values of one exchange that are shown. Plain data. */
export interface ShownValues {
  readonly values: readonly ShownValue[]
  /** How many values were shortened. */
  readonly cut: number
  /** How many differences are shown without their values, because the exchange has too many. */
  readonly dropped: number
}

export const NOTHING_SHOWN: ShownValues = { values: [], cut: 0, dropped: 0 }

/** Replaces personal data in a JSON text; returns undefined if the text is not JSON. */
export type RedactJson = (json: Uint8Array) => Uint8Array | undefined

/** The most values of one exchange that are shown, and their most bytes. The rest of 64 KB is for its curl. */
const MOST_VALUES = 200
const MOST_BYTES = 60 * 1024
/** How many characters of one value are shown, and how many are read: redacted text may be shorter. */
const SHOWN = 500
const LOOKED_AT = 8 * SHOWN

/** Shown in place of a value whose own name is unknown because its path is too long: the value may be personal. */
const NAMELESS = 'not shown: its path is too long'

/**
 * Writes the values of the differences that count, redacted and within bounds. Of a write of which v1 does not get a member, nothing is
 * shown, and so no call either: no mapping lists the member, so its name does not tell whether its value is personal.
 */
export function showValues(
  { differences, examples, sent }: Pick<Observation, 'differences' | 'examples' | 'sent'>,
  expectations: Pick<Expectations, 'ignored'>,
  redact: RedactJson,
): ShownValues {
  if (differences.some(({ kind }) => kind === 'dropped')) return NOTHING_SHOWN
  const values: ShownValue[] = []
  let [bytes, cut, dropped] = [0, 0, 0]
  for (const [index, { kind, path, control, candidate }] of examples.entries()) {
    if (whyIgnored(expectations, differences[index] as Difference, sent) !== null) continue
    if (values.length >= MOST_VALUES || bytes >= MOST_BYTES) {
      dropped++
      continue
    }
    const [was, is] = [show(path, control, redact), show(path, candidate, redact)]
    const value = { kind, path, control: was?.text ?? null, candidate: is?.text ?? null }
    bytes += bytesOf(value)
    if (bytes > MOST_BYTES) dropped++
    else {
      values.push(value)
      cut += [was, is].filter((one) => one?.isWhole === false).length
    }
  }
  return { values, cut, dropped }
}

/** The memory that a shown value takes, as bytes of UTF-8. */
const bytesOf = ({ path, control, candidate }: ShownValue): number =>
  Buffer.byteLength(path) + Buffer.byteLength(control ?? '') + Buffer.byteLength(candidate ?? '')

function show(path: string, value: JsonValue | undefined, redact: RedactJson): Shown | undefined {
  if (value === undefined) return undefined
  if (isCut(path)) return { text: NAMELESS, isWhole: false }
  // Wraps the value in its parent members, so that it is redacted where one of them is personal or a secret.
  const names = segmentsOf(path).filter((name) => name !== null)
  const open = names.map((name) => `{${JSON.stringify(name)}:`).join('')
  const written = boundedText(value, LOOKED_AT)
  const json = redact(Buffer.from(`${open}${written.text}${'}'.repeat(names.length)}`))
  if (json === undefined) return undefined
  const text = Buffer.from(json).toString()
  if (!text.startsWith(open)) return { text: secret(text), isWhole: true }
  const inner = text.slice(open.length, text.length - names.length)
  const isWhole = written.isWhole && inner.length <= SHOWN
  return { text: isWhole ? inner : `${inner.slice(0, SHOWN)}… (cut)`, isWhole }
}

interface Shown {
  readonly text: string
  readonly isWhole: boolean
}

/** Returns the token of a secret parent member: redaction has replaced its whole value. */
const secret = (text: string): string => /"~[\w-]{22}"/.exec(text)?.[0] ?? '"~"'

/** A redacted call, as people read it and as they repeat it. */
interface ShownCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** JSON; null: it has none that can be shown. */
  readonly body: string | null
  /** The call as a command for a shell. */
  readonly curl: string
  /** The same call, sent to the legacy service itself. */
  readonly legacyCurl: string
  /** The query that fills in the page Explain with the call; undefined: none. */
  readonly explain?: string | undefined
}

/** An exchange that shows differences: its call, redacted, and their values. Kept in memory only. */
export interface ShownExchange extends ShownCall {
  readonly at: string
  /** In the order in which they were found. */
  readonly values: readonly ShownValue[]
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

export interface Examples {
  /** Keeps what one exchange shows. `call` returns the redacted call; it is called only if something is kept. */
  keep(operation: string, shown: ShownValues, at: Date, call: () => ShownCall): void
  /** Returns the exchanges whose examples are kept, the latest first, each with those that are kept. */
  of(operation: string): readonly ShownExchange[]
  /** Forgets the examples of an operation: its mapping has changed, so they show what is no more. */
  forget(operation: string): void
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
  readonly shown: ShownCall & Pick<ShownExchange, 'at'>
  readonly bytes: number
  examples: number
}

interface KeptExample {
  readonly example: ShownValue
  readonly operation: string
  readonly call: Call
}

const keyOf = ({ kind, path }: ShownValue): string => `${kind} ${path}`

/** Keeps examples of differences in memory, within a bound: new examples replace the oldest. */
export function keepExamples(maxBytes = MAX_BYTES): Examples {
  /** By operation, and by kind and path; the latest first. */
  const places = new Map<string, Map<string, KeptExample[]>>()
  /** The oldest first. */
  const all = new Set<KeptExample>()
  let [bytes, cut, dropped] = [0, 0, 0]

  const remove = (kept: KeptExample): void => {
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
      const ofOperation = places.get(operation) ?? new Map<string, KeptExample[]>()
      places.set(operation, ofOperation)
      let call: Call | undefined
      for (const value of shown.values) {
        const same = ofOperation.get(keyOf(value)) ?? []
        if (same.length === 0 && ofOperation.size >= MAX_PLACES) {
          dropped++
          continue
        }
        if (call === undefined) {
          const made = makeCall()
          const bytesOfCall = Object.values(made).reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
          call = { shown: { ...made, at: at.toISOString() }, bytes: bytesOfCall, examples: 0 }
          bytes += call.bytes
        }
        const kept = { example: value, operation, call }
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
    of(operation) {
      const ofOperation = [...all].filter((kept) => kept.operation === operation)
      const exchanges = Map.groupBy(ofOperation, ({ call }) => call)
      return Array.from(exchanges, ([{ shown }, kept]) => ({
        ...shown,
        values: kept.map(({ example }) => example),
      })).reverse()
    },
    forget(operation) {
      for (const kept of all) if (kept.operation === operation) remove(kept)
    },
    counts: () => ({ bytes, cut, dropped }),
  }
}
