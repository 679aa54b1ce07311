/** The most segments of a shape; longer paths are cut. */
const MOST_SEGMENTS = 8
/** Replaces a segment that no operation's path has: it may be a name, an id or a token. */
const ANY = '*'

/**
 * Returns a function that gives the shape of a path that no operation has. The shape keeps the segments that occur in paths of
 * operations, because all others could be personal or secret.
 */
export function pathShapes(paths: readonly string[]): (path: string) => string {
  const known = new Set(paths.flatMap((path) => path.split('/')))
  return (path) => {
    const segments = path.replace(/[?#].*/s, '').split('/')
    const shape = segments.slice(0, MOST_SEGMENTS + 1).map((segment) => (known.has(segment) ? segment : ANY))
    return `${shape.join('/')}${segments.length > MOST_SEGMENTS + 1 ? '/…' : ''}`
  }
}

/** Returns a function that returns the first `most` different texts unchanged, and `other` for all further ones. */
export function atMost(most: number, other: string): (text: string) => string {
  const seen = new Set<string>()
  return (text) => {
    if (seen.has(text)) return text
    if (seen.size >= most) return other
    seen.add(text)
    return text
  }
}
