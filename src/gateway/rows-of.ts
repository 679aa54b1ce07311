import { type PageRows, rewriteRows, type Slice } from '../engine/answer.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { release } from '../upstream/release.ts'
import { asideFor } from './aside.ts'
import type { Call } from './call.ts'
import type { Gateway } from './gateway.ts'

/** Rewrites the rows of a v1 page into the legacy shape, and releases the page's buffer. Throws like `rewriteRows`. */
export async function rowsOf(
  gateway: Gateway,
  call: Call,
  { mapping, answer: plan }: CompiledOperation,
  answer: Uint8Array,
  slice: Slice,
): Promise<PageRows> {
  const aside = asideFor(gateway, call, answer)
  if (aside !== undefined) return aside.rewriteRows(mapping.id, answer, slice)
  const rows = rewriteRows(plan, answer, slice)
  release(answer)
  return rows
}
