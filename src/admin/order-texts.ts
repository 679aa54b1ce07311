import { bodyLimit } from 'hono/body-limit'

/** The texts of an order, with the most characters of each. */
const LONGEST = { operation: 100, by: 200, why: 1_000 } as const

export type OrderText = keyof typeof LONGEST

const MAX_BYTES = 16_384

/** Characters that could distort a line in a log, terminal or page: controls, lone surrogates, line ends, text directions. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** The gateway's own name where it says who decided. */
const ITSELF = /^auto$/i

/** Answers orders of more than 16 KiB with a 413. */
export const limitOrder = bodyLimit({
  maxSize: MAX_BYTES,
  onError: (c) => c.json({ message: `The order is larger than ${MAX_BYTES} bytes.` }, 413),
})

/** Reads a JSON object; undefined if the text is not one. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const json = parsed(text)
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  return isObject ? (json as Readonly<Record<string, unknown>>) : undefined
}

/**
 * Returns what is wrong with an order that must have these texts, in words without a final full stop.
 * @param others the names of other members that the order may have.
 */
export function problemsWith(
  given: Readonly<Record<string, unknown>>,
  names: readonly OrderText[],
  others: readonly string[] = [],
): readonly string[] {
  const known = [...names, ...others]
  const isComplete = Object.keys(given).every((name) => known.includes(name))
  return [
    ...names.flatMap((name) => problemWith(name, given[name])),
    ...(isComplete ? [] : [`the only members are ${known.join(', ')}`]),
  ]
}

/** Returns the trimmed texts of a valid order. */
export function textsOf<Name extends OrderText>(
  given: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((name) => [name, String(given[name]).trim()])) as Record<Name, string>
}

function problemWith(name: OrderText, value: unknown): readonly string[] {
  const isText = typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST[name]
  if (!isText || UNREADABLE.test(value)) {
    return [`${name} must be text of 1 to ${LONGEST[name]} characters, without control characters`]
  }
  return name === 'by' && ITSELF.test(value.trim())
    ? ['by must say who you are; auto is reserved for the gateway itself']
    : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
