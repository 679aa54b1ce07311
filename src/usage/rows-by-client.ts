import { inSlices } from '../observe/in-slices.ts'

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
