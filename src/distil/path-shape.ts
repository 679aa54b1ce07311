/** Longer paths are cut. */
const MOST_SEGMENTS = 8
/** What stands for a segment that no operation's path has: it may be a name, an id or a token. */
const ANY = '*'

/**
 * Returns a function that says the shape of a path that no operation has: its segments, as far as paths of operations have them.
 * Anything else could be of a person, or a secret.
 */
export function pathShapes(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths.flatMap((path) => path.split('/')))
  return (path) => {
    const segments = path.replace(/[?#].*/s, '').split('/')
    const shape = segments.slice(0, MOST_SEGMENTS + 1).map((segment) => (known.has(segment) ? segment : ANY))
    return `${shape.join('/')}${segments.length > MOST_SEGMENTS + 1 ? '/…' : ''}`
  }
}

/** Returns a function that tells apart so many texts, and calls all others by one name. */
export function atMost(most: number, other: string): (text: string) => string {
  const seen = new Set<string>()
  return (text) => {
    if (seen.has(text)) return text
    if (seen.size >= most) return other
    seen.add(text)
    return text
  }
}
