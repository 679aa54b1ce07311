/** The most paths that are remembered, enough for the classes that are kept per operation, and the longest of them. */
const MOST = 2_000
const LONGEST = 200

/** Remembers the results of `find` by path. Memory is bounded, because paths come from the services' answers. */
export function remembered<T>(find: (path: string) => T): (path: string) => T {
  const found = new Map<string, T>()
  return (path) => {
    const known = found.get(path)
    if (known !== undefined) return known
    const value = find(path)
    if (path.length > LONGEST) return value
    if (found.size >= MOST) found.clear()
    found.set(path, value)
    return value
  }
}
