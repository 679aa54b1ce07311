/** Matches each token of JSON that opens, closes or separates, and each text; the second group tells a name from a value. */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)|[{}[\],]/g

/** An object or array that is not closed yet. */
interface Open {
  /** The names read so far. */
  readonly names: Set<string>
  /** The name of the member that is being read, or the index of the item. */
  at: string | number
}

/**
 * Returns the paths of members that an object has more than once, such as `operations.*.serve` or `ignore.0.why`. `JSON.parse`
 * silently takes the last one.
 * @param json a text that `JSON.parse` accepts.
 */
export function doubledMembers(json: string): readonly string[] {
  const doubled = new Set<string>()
  const open: Open[] = []
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    const inside = open.at(-1) as Open
    if (token === '{') open.push({ names: new Set(), at: '' })
    else if (token === '[') open.push({ names: new Set(), at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof inside.at === 'number') inside.at++
    else if (colon === ':') {
      inside.at = JSON.parse(text as string) as string
      if (inside.names.has(inside.at)) doubled.add(open.map(({ at }) => at).join('.'))
      inside.names.add(inside.at)
    }
  }
  return [...doubled]
}
