/** Longer texts are cut before they are compared: no name is as long. */
const LONGEST = 200

/**
 * Counts the letters to insert, delete, replace, or swap with the next to turn one text into another (F. J. Damerau, 1964), whatever
 * their case.
 */
export function distance(one: string, other: string): number {
  const [text, to] = [one.slice(0, LONGEST).toLowerCase(), other.toLowerCase()]
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let done = 0; done < text.length; done++) {
    const next = [done + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] as number) + (text[done] === to[at - 1] ? 0 : 1)
      next[at] = Math.min(replaced, (row[at] as number) + 1, (next[at - 1] as number) + 1)
      const isSwapped = done > 0 && at > 1 && text[done] === to[at - 2] && text[done - 1] === to[at - 1]
      if (isSwapped) next[at] = Math.min(next[at] as number, (before[at - 2] as number) + 1)
    }
    before = row
    row = next
  }
  return row[to.length] as number
}

/** Returns the words that a mistyped one may mean, the most similar first: two wrong letters at most, and less than half of it. */
export function similarTo(word: string, words: readonly string[]): readonly string[] {
  return words
    .map((other) => ({ other, far: distance(word, other) }))
    .filter(({ other, far }) => far <= 2 && far * 2 < Math.max(word.length, other.length))
    .sort((a, b) => a.far - b.far)
    .map(({ other }) => other)
}

/** Returns `; did you mean invoice-list?`, or nothing if no word is similar. */
export function didYouMean(word: string, words: readonly string[]): string {
  const [nearest] = similarTo(word, words)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
