import type { Difference, Kind } from './diff/difference.ts'
import { canonicalText, type JsonValue } from './diff/json-value.ts'
import { segmentsOf } from './diff/path.ts'
import type { Expectations } from './expected/expectations.ts'
import type { Observation } from './observe-exchange.ts'

/** The values of one difference in one exchange, redacted. Kept in memory only. */
export interface ShownExample {
  readonly kind: Kind
  readonly path: string
  readonly at: string
  /** JSON texts; null: the side has no value there. */
  readonly control: string | null
  readonly candidate: string | null
  /** The call that shows the difference. */
  readonly curl: string
}

export interface Examples {
  /** Keeps the values of the differences that count. `curl` returns the redacted call; it is called only for what is kept. */
  keep(observation: Observation, expectations: Expectations, at: Date, curl: () => string): void
  /** Returns the examples of an operation, the latest first. */
  of(operation: string): readonly ShownExample[]
}

/** Examples kept per kind and path. */
const LATEST = 5
/** Kinds and paths with examples, per operation; further ones appear in the counts only. */
const MAX_PLACES = 200
const MAX_TEXT = 500

/**
 * Keeps examples of differences in memory.
 * @param redact replaces personal data in a JSON text; returns undefined if the text is not JSON.
 */
export function keepExamples(redact: (json: Uint8Array) => Uint8Array | undefined): Examples {
  const kept = new Map<string, Map<string, ShownExample[]>>()

  const shown = (path: string, value: JsonValue | undefined): string | null => {
    if (value === undefined) return null
    // Wraps the value in its parent members, so that it is redacted where one of them is personal.
    const names = segmentsOf(path).filter((name) => name !== null)
    const open = names.map((name) => `{${JSON.stringify(name)}:`).join('')
    const json = redact(Buffer.from(`${open}${canonicalText(value)}${'}'.repeat(names.length)}`))
    if (json === undefined) return null
    const text = Buffer.from(json).toString()
    const inner = text.startsWith(open) ? text.slice(open.length, text.length - names.length) : personal(text)
    return inner.length > MAX_TEXT ? `${inner.slice(0, MAX_TEXT)}…` : inner
  }

  return {
    keep({ operation, differences, examples }, expectations, at, curl) {
      const places = kept.get(operation) ?? new Map<string, ShownExample[]>()
      kept.set(operation, places)
      for (const [index, { kind, path, control, candidate }] of examples.entries()) {
        const { standing, ...where } = differences[index] as Difference
        const key = `${kind} ${path}`
        if (standing === 'drift') continue
        if (expectations.ignored(where) !== null || (!places.has(key) && places.size >= MAX_PLACES)) continue
        const example = {
          ...{ kind, path, at: at.toISOString(), curl: curl() },
          ...{ control: shown(path, control), candidate: shown(path, candidate) },
        }
        places.set(key, [example, ...(places.get(key) ?? [])].slice(0, LATEST))
      }
    },
    of: (operation) => [...(kept.get(operation)?.values() ?? [])].flat(),
  }
}

/** Returns the token of a personal parent member: redaction has replaced its whole value. */
const personal = (text: string): string => /"~[\w-]{22}"/.exec(text)?.[0] ?? '"~"'
