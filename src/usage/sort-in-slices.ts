import { inSlices } from '../observe/in-slices.ts'

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
