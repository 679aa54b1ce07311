import { inSlices } from '../observe/in-slices.ts'

const NO_OPERATIONS = '"operations":[]'

/** Serialises results in slices: there may be megabytes of them. */
export async function jsonInSlices(results: { readonly operations: readonly object[] }): Promise<string> {
  const operations = await inSlices(results.operations, (operation) => JSON.stringify(operation))
  const around = JSON.stringify({ ...results, operations: [] })
  return around.replace(NO_OPERATIONS, () => `"operations":[${operations.join(',')}]`)
}
