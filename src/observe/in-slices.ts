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

type Compare<Item> = (one: Item, other: Item) => number

/** So many items are sorted in one go, which takes some milliseconds. */
const RUN = 5_000

/** Returns what `toSorted` returns. In slices, because there may be 160,000 items. */
export async function sortInSlices<Item>(items: readonly Item[], compare: Compare<Item>): Promise<readonly Item[]> {
  const starts = Array.from({ length: Math.ceil(items.length / RUN) }, (_, at) => at * RUN)
  const runs = await inSlices(starts, (from) => items.slice(from, from + RUN).sort(compare))
  return inSlices(merged(runs, compare), (item) => item)
}

/** Goes through sorted runs in order. Of items that compare equal, those of the earlier run come first. */
function* merged<Item>(runs: readonly (readonly Item[])[], compare: Compare<Item>): Iterable<Item> {
  let open = runs.map((run) => ({ run, at: 0, head: run[0] as Item }))
  for (let [next] = open; next !== undefined; [next] = open) {
    for (const one of open) if (compare(one.head, next.head) < 0) next = one
    yield next.head
    next.at++
    if (next.at < next.run.length) next.head = next.run[next.at] as Item
    else open = open.filter((one) => one !== next)
  }
}

/** Groups rows by client, in the order in which they come. In slices, because there may be 160,000. */
export async function rowsByClient<Row extends { readonly client: string }>(
  rows: readonly Row[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const found = new Map<string, Row[]>()
  await inSlices(rows, (row) => {
    const own = found.get(row.client)
    if (own === undefined) found.set(row.client, [row])
    else own.push(row)
  })
  return found
}
