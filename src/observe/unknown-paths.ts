/** A path that was called and that no mapping has. */
export interface UnknownPath {
  readonly method: string
  /** Without its query; cut after 200 characters. */
  readonly path: string
  readonly calls: number
  /** Who called it last. */
  readonly client: string
  /** When it was last called, by the clock of the counts; ms. */
  readonly lastAt: number
}

/** The paths that are remembered, and how many calls were of others. */
export interface UnknownPaths {
  /** Most calls first. */
  readonly paths: readonly UnknownPath[]
  readonly otherCalls: number
}

/** Limits of what is remembered, so that someone who tries out paths cannot use up memory. */
const MOST_PATHS = 100
const LONGEST_PATH = 200
const LONGEST_METHOD = 20

type Remembered = { -readonly [Name in keyof UnknownPath]: UnknownPath[Name] }

/**
 * Remembers the paths that no mapping has. When there are too many, forgets the one with the fewest calls; among several, the
 * one that came first. So paths that a program calls again and again stay, even while a scanner tries out others.
 */
export function unknownPaths(): {
  count(call: { method: string; path: string; client: string; at: number }): void
  /** @param away is added to times. */
  all(away: number): UnknownPaths
} {
  /** Paths that were called once, oldest first, so that a flood of new paths needs no search. */
  const once = new Map<string, Remembered>()
  const again = new Map<string, Remembered>()
  let otherCalls = 0
  const forgetOne = (): void => {
    const [oldest] = once.keys()
    if (oldest !== undefined) {
      once.delete(oldest)
      otherCalls++
      return
    }
    let [fewest, calls] = ['', Number.POSITIVE_INFINITY]
    for (const [key, one] of again) if (one.calls < calls) [fewest, calls] = [key, one.calls]
    if (again.delete(fewest)) otherCalls += calls
  }
  return {
    count({ method: given, path: whole, client, at }) {
      const method = given.slice(0, LONGEST_METHOD)
      const path = whole.length > LONGEST_PATH ? `${whole.slice(0, LONGEST_PATH)}…` : whole
      const key = `${method} ${path}`
      const known = again.get(key) ?? once.get(key)
      if (known === undefined) {
        if (once.size + again.size >= MOST_PATHS) forgetOne()
        once.set(key, { method, path, calls: 1, client, lastAt: at })
        return
      }
      known.calls++
      known.client = client
      known.lastAt = Math.max(known.lastAt, at)
      if (once.delete(key)) again.set(key, known)
    },
    all: (away) => ({
      paths: [...once.values(), ...again.values()]
        .map((one) => ({ ...one, lastAt: one.lastAt + away }))
        .sort((a, b) => b.calls - a.calls),
      otherCalls,
    }),
  }
}
