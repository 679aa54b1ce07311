import type { PageRows, Slice } from '../engine/answer.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'

/**
 * Texts of at least this size are processed in another thread, because they could block the event loop for too long.
 */
export const LARGE_BYTES = 256 * 1024

/** The rewritten answer; or the reference lists that it still needs, together with v1's answer. */
export type Filled = { readonly legacy: Uint8Array } | { readonly missing: readonly string[]; readonly v1: Uint8Array }

/**
 * Processes large texts in another thread. Operations are named by their ids. Each method rejects with what the
 * engine's own function throws. v1's answers are transferred to the thread, and what it makes of them is transferred
 * back: do not use an answer after passing it.
 */
export interface Aside {
  /** Returns only the first few thousand dropped names. */
  translateRequest(operation: string, input: LegacyInput): Promise<Translation>
  rewritePage(operation: string, v1: Uint8Array): Promise<Uint8Array>
  rewriteRows(operation: string, v1: Uint8Array, slice: Slice): Promise<PageRows>
  checkAcknowledged(v1: Uint8Array): Promise<void>
  /**
   * Rewrites a record or list into the legacy shape.
   * @param request body of the legacy request.
   * @param lists whole lists by id, in the legacy shape; null: not available.
   */
  rewriteFilled(
    operation: string,
    kind: 'record' | 'list',
    v1: Uint8Array,
    request: Uint8Array,
    lists: ReadonlyMap<string, Uint8Array | null>,
  ): Promise<Filled>
}

/** Returns what processes this text in another thread; undefined if the text is small or there is no such thread. */
export const asideFor = ({ aside }: { readonly aside: Aside | undefined }, text: Uint8Array): Aside | undefined =>
  text.length < LARGE_BYTES ? undefined : aside
