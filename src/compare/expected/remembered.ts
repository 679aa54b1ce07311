/** How much is remembered: the places of the classes that are kept of an operation, and longer paths not at all. */
const MOST = 2_000
const LONGEST = 200

/** Remembers what `find` finds for a path, within a bound: paths come from what services answer. */
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
