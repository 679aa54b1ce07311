import { setImmediate } from 'node:timers/promises'

/** The longest that calls wait, unless a single item takes longer. */
const SLICE_MS = 10

/** Runs `each` for every item in slices, between which calls are answered: for work that would hold the event loop in one go. */
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

/** Waits until the next turn, so that calls are answered between two pieces of work that cannot be done in slices. */
export const nextTurn = (): Promise<void> => setImmediate()
