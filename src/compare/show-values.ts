import type { Difference, Kind } from './diff/difference.ts'
import { boundedText, type JsonValue } from './diff/json-value.ts'
import { isCut, segmentsOf } from './diff/path.ts'
import { type Expectations, whyIgnored } from './expected/expectations.ts'
import type { Observation } from './observe-exchange.ts'

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
export const MOST_VALUES = 200
const MOST_BYTES = 60 * 1024
/** How many characters of one value are shown, and how many are read: redacted text may be shorter. */
const SHOWN = 500
const LOOKED_AT = 8 * SHOWN

/** Shown in place of a value whose own name is unknown because its path is too long: the value may be personal. */
const NAMELESS = 'not shown: its path is too long'

/** Writes the values of the differences that count, redacted and within bounds. */
export function showValues(
  { differences, examples, sent }: Pick<Observation, 'differences' | 'examples' | 'sent'>,
  expectations: Pick<Expectations, 'ignored'>,
  redact: RedactJson,
): ShownValues {
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
export const bytesOf = ({ path, control, candidate }: ShownValue): number =>
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
