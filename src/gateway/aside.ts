import type { PageRows, Slice } from '../engine/answer.ts'
import type { LegacyInput, Translation } from '../engine/translate-request.ts'

/** From this size on a text is walked beside the event loop: it could hold it for longer than others can wait. */
export const LARGE_BYTES = 256 * 1024

/** An answer that is rewritten, or the lists without which it cannot be filled in, and v1's answer back. */
export type Filled = { readonly legacy: Uint8Array } | { readonly missing: readonly string[]; readonly v1: Uint8Array }

/**
 * Work on large texts, done in another thread; operations by their ids. Each rejects with what the engine's own function throws.
 * v1's answers, and what is made of them, change hands: nobody else may look at them any more.
 */
export interface Aside {
  /** Of names that are dropped it tells the first thousands. */
  translateRequest(operation: string, input: LegacyInput): Promise<Translation>
  rewritePage(operation: string, v1: Uint8Array): Promise<Uint8Array>
  rewriteRows(operation: string, v1: Uint8Array, slice: Slice): Promise<PageRows>
  checkAcknowledged(v1: Uint8Array): Promise<void>
  /**
   * A record or list in the legacy shape.
   * @param request the body of the legacy request.
   * @param lists the whole lists that are there, in the legacy shape, by id; null: it cannot be had.
   */
  rewriteFilled(
    operation: string,
    kind: 'record' | 'list',
    v1: Uint8Array,
    request: Uint8Array,
    lists: ReadonlyMap<string, Uint8Array | null>,
  ): Promise<Filled>
}

/** Where a text is walked that is too large for the event loop; undefined: it is not, or there is no other place. */
export const asideFor = ({ aside }: { readonly aside: Aside | undefined }, text: Uint8Array): Aside | undefined =>
  text.length < LARGE_BYTES ? undefined : aside
