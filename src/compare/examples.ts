import type { Kind, Where } from './diff/difference.ts'
import { canonicalText, type JsonValue } from './diff/json-value.ts'
import { segmentsOf } from './diff/path.ts'
import type { KnownLines } from './mapping/known-lines.ts'
import type { Observation } from './observe-exchange.ts'

/** What a difference looks like: redacted, for the memory alone. */
export interface ShownExample {
  readonly kind: Kind
  readonly path: string
  readonly at: string
  /** JSON texts; null: that side has no value there. */
  readonly control: string | null
  readonly candidate: string | null
  /** The call that shows it. */
  readonly curl: string
}

export interface Examples {
  /** Keeps what an observation shows of the differences that count. `curl`: its call, redacted; asked for when it is kept. */
  keep(observation: Observation, known: KnownLines, at: Date, curl: () => string): void
  /** The latest first. */
  of(operation: string): readonly ShownExample[]
}

/** Of each kind and path. */
const LATEST = 5
/** Of each operation; further ones are seen in the counts alone. */
const MAX_PLACES = 200
const MAX_TEXT = 500

/** @param redact takes personal data out of a JSON text; undefined when it is none. */
export function keepExamples(redact: (json: Uint8Array) => Uint8Array | undefined): Examples {
  const kept = new Map<string, Map<string, ShownExample[]>>()

  const shown = (path: string, value: JsonValue | undefined): string | null => {
    if (value === undefined) return null
    // Within the members that it stands in, so that it is personal where one of them is.
    const names = segmentsOf(path).filter((name) => name !== null)
    const open = names.map((name) => `{${JSON.stringify(name)}:`).join('')
    const json = redact(Buffer.from(`${open}${canonicalText(value)}${'}'.repeat(names.length)}`))
    if (json === undefined) return null
    const text = Buffer.from(json).toString()
    const inner = text.startsWith(open) ? text.slice(open.length, text.length - names.length) : personal(text)
    return inner.length > MAX_TEXT ? `${inner.slice(0, MAX_TEXT)}…` : inner
  }

  return {
    keep({ operation, differences, examples }, known, at, curl) {
      const places = kept.get(operation) ?? new Map<string, ShownExample[]>()
      kept.set(operation, places)
      for (const [index, { kind, path, control, candidate }] of examples.entries()) {
        const where = differences[index] as Where
        const key = `${kind} ${path}`
        if (known.ignored(where) !== null || (!places.has(key) && places.size >= MAX_PLACES)) continue
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

/** Where a member further out is personal, its whole value has become a token. */
const personal = (text: string): string => /"~[\w-]{22}"/.exec(text)?.[0] ?? '"~"'
