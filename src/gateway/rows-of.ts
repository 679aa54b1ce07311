import { type PageRows, rewriteRows, type Slice } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { release } from '../upstream/release.ts'
import { asideFor } from './aside.ts'
import type { Gateway } from './gateway.ts'

/** Rows of one v1 page in the legacy shape. The page's memory is given back. Throws as `rewriteRows` does. */
export async function rowsOf(
  gateway: Gateway,
  { mapping, answer: plan }: CompiledOperation,
  answer: Uint8Array,
  slice: Slice,
): Promise<PageRows> {
  const aside = asideFor(gateway, answer)
  if (aside !== undefined) return aside.rewriteRows(mapping.id, answer, slice)
  const rows = rewriteRows(plan, answer, slice)
  release(answer)
  return rows
}
