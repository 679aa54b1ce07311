import { setImmediate as wait } from 'node:timers/promises'

/** How long calls wait for all slices of one turn of the event loop, unless a single item takes longer. */
const SLICE_MS = 10

/** When the first slice of this turn began; undefined: none has yet. */
let began: number | undefined

/** Runs `each` for every item in slices, between which calls are answered: for work that would hold the event loop in one go. */
export async function inSlices<Item, Result>(
  items: Iterable<Item>,
  each: (item: Item) => Result,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let endsAt = sliceEnd()
  const giveWay = async (): Promise<void> => {
    await nextTurn()
    endsAt = sliceEnd()
  }
  if (performance.now() >= endsAt) await giveWay()
  for (const item of items) {
    results.push(each(item))
    if (performance.now() >= endsAt) await giveWay()
  }
  return results
}

/** Returns when to leave the rest to the next turn. Several pieces of work in one turn share its time. */
function sliceEnd(): number {
  resetNextTurn()
  began ??= performance.now()
  return began + SLICE_MS
}

let isResetDue = false

/** Comes before all that waits for the next turn: what waited first would else find the time of this turn, which is used up. */
function resetNextTurn(): void {
  if (isResetDue) return
  isResetDue = true
  setImmediate(() => {
    isResetDue = false
    began = undefined
  })
}

/** Waits until the next turn, so that calls are answered between two pieces of work that cannot be done in slices. */
export function nextTurn(): Promise<void> {
  resetNextTurn()
  return wait()
}
