import { inSlices } from '../observe/in-slices.ts'

const NO_OPERATIONS = '"operations":[]'

/** Serialises results in slices, as UTF-8: there may be megabytes of them. */
export async function jsonInSlices(results: {
  readonly operations: readonly object[]
}): Promise<Uint8Array<ArrayBuffer>> {
  const operations = await inSlices(results.operations, (operation) => Buffer.from(`${JSON.stringify(operation)},`))
  const around = JSON.stringify({ ...results, operations: [] })
  const inside = around.indexOf(NO_OPERATIONS) + NO_OPERATIONS.length - 1
  const list = Buffer.concat(operations)
  return Buffer.concat([
    Buffer.from(around.slice(0, inside)),
    // Without the last comma.
    list.subarray(0, -1),
    Buffer.from(around.slice(inside)),
  ])
}
