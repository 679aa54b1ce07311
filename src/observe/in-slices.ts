import { setImmediate } from 'node:timers/promises'

/** So long others wait at most, unless one item alone takes longer. */
const SLICE_MS = 10

/** Does something with each item, and lets calls be answered between: for work that would hold the event loop all at once. */
export async function inSlices<Item, Result>(
  items: Iterable<Item>,
  each: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(each(item))
    if (performance.now() - began < SLICE_MS) continue
    await setImmediate()
    began = performance.now()
  }
  return results
}

/** Lets calls be answered between two pieces of work, neither of which can be done in slices. */
export const nextTurn = (): Promise<void> => setImmediate()
