import { inSlices } from '../observe/in-slices.ts'

/**
 * Serialises an object with a long list as UTF-8. In slices, because the result may have megabytes.
 * @param name the member that is the list.
 */
export async function jsonInSlices<Name extends string, Results extends Readonly<Record<Name, readonly object[]>>>(
  results: Results,
  name: Name,
): Promise<Uint8Array<ArrayBuffer>> {
  const items = await inSlices(results[name], (item) => Buffer.from(`${JSON.stringify(item)},`))
  const around = JSON.stringify({ ...results, [name]: [] })
  const noItems = `"${name}":[]`
  const inside = around.indexOf(noItems) + noItems.length - 1
  const list = Buffer.concat(items)
  return Buffer.concat([
    Buffer.from(around.slice(0, inside)),
    // Without the last comma.
    list.subarray(0, -1),
    Buffer.from(around.slice(inside)),
  ])
}
