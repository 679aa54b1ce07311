import type { JsonValue, ReadBody } from './json-value.ts'

/** An answer in the legacy shape. */
export interface Answer {
  readonly status: number
  readonly body: Uint8Array
  /** The body as JSON, by whoever has read it already. */
  readonly read?: ReadBody
}

/**
 * `missing`: only the control has the member; `extra`: only the candidate. `type`: another JSON type, null being one.
 * `order`: an array with the same items in another order. `length`: one with another number of items.
 */
export type Kind = 'status' | 'missing' | 'extra' | 'type' | 'changed' | 'order' | 'length'

/** What a path is a path of: of nothing (the status), of a success's body, or of an error's. */
export type Part = 'status' | 'answer' | 'error'

/** Which body an answer of this status has. */
export const partOf = (status: number): 'answer' | 'error' => (status < 400 ? 'answer' : 'error')

/** Where which kind of difference is: what makes a class of differences. */
export interface Where {
  readonly part: Part
  readonly kind: Kind
  /** See `path.ts`. The status and the root of a body have the path `""`. */
  readonly path: string
}

/** What two answers differ in: one of a class. */
export interface Difference extends Where {
  /** In how many places of the answer: rows of a list, mostly. */
  readonly count: number
  /** Of `status`, `type` and `length`: how often which, `{ "string → null": 3 }`. */
  readonly details: Readonly<Record<string, number>> | null
}

/**
 * The values at the first place where a difference shows; undefined: that side has none there, or it says nothing. They are
 * personal data: nothing that is stored or reported may hold them.
 */
export interface Example {
  readonly kind: Kind
  readonly path: string
  readonly control: JsonValue | undefined
  readonly candidate: JsonValue | undefined
}

/** What two answers differ in, in the order in which it was found; each example is of the difference at its place. */
export interface Comparison {
  readonly differences: readonly Difference[]
  readonly examples: readonly Example[]
}

interface Found {
  readonly kind: Kind
  readonly path: string
  readonly control: JsonValue | undefined
  readonly candidate: JsonValue | undefined
  readonly details: Map<string, number>
  count: number
}

/** The differences of one part that have been found so far. */
export class Findings {
  readonly part: Part
  readonly #found = new Map<string, Found>()

  constructor(part: Part) {
    this.part = part
  }

  /** Adds one place. Returns false, which is whether the values are equal. */
  add(kind: Kind, path: string, control?: JsonValue, candidate?: JsonValue, detail?: string): false {
    const found = this.#of({ kind, path, control, candidate })
    found.count++
    if (detail !== undefined) found.details.set(detail, (found.details.get(detail) ?? 0) + 1)
    return false
  }

  /** Adds whatever another has found. */
  addAll(others: Findings): void {
    for (const other of others.#found.values()) {
      const found = this.#of(other)
      found.count += other.count
      for (const [detail, count] of other.details) found.details.set(detail, (found.details.get(detail) ?? 0) + count)
    }
  }

  /** Whether nothing has been found but at this path. */
  isOnlyAt(path: string): boolean {
    return [...this.#found.values()].every((found) => found.path === path)
  }

  comparison(): Comparison {
    const found = [...this.#found.values()]
    return {
      differences: found.map(({ kind, path, count, details }) => ({
        part: this.part,
        kind,
        path,
        count,
        details: details.size === 0 ? null : Object.fromEntries(details),
      })),
      examples: found.map(({ kind, path, control, candidate }) => ({ kind, path, control, candidate })),
    }
  }

  #of({ kind, path, control, candidate }: Example): Found {
    const key = `${kind} ${path}`
    const there = this.#found.get(key)
    if (there !== undefined) return there
    const found = { kind, path, control, candidate, details: new Map<string, number>(), count: 0 }
    this.#found.set(key, found)
    return found
  }
}
