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

/** Returns when to leave the rest to another turn. Work that begins in the same turn shares its time. */
function sliceEnd(): number {
  goOnNextTurn()
  began ??= performance.now()
  return began + SLICE_MS
}

/** The work that waits for its turn. */
const waiting: (() => void)[] = []

/**
 * Waits for a turn of its own, so that calls are answered between two pieces of work that cannot be done in slices. Who waits first
 * goes on first; one goes on in each turn, so that a small page does not wait until a large one is made.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    goOnNextTurn()
  })
}

let isTurnDue = false

function goOnNextTurn(): void {
  if (isTurnDue) return
  isTurnDue = true
  setImmediate(() => {
    isTurnDue = false
    began = undefined
    waiting.shift()?.()
    if (waiting.length > 0) goOnNextTurn()
  })
}
