import type { PageRows, Slice } from '../../engine/answer.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { V1ErrorBody } from '../../engine/read-v1-error.ts'
import type { LegacyInput, Translation } from '../../engine/translate-request.ts'
import type { Operation } from '../../mapping/operation.ts'

/**
 * Texts of at least this size are processed in another thread, because they could block the event loop for too long.
 */
export const LARGE_BYTES = 256 * 1024

/** The rewritten answer; or the reference lists that it still needs, together with v1's answer. */
export type Filled = { readonly legacy: Uint8Array } | { readonly missing: readonly string[]; readonly v1: Uint8Array }

/**
 * Processes large texts in another thread, by the mapping that a call began with. Each method rejects with what the
 * engine's own function throws. v1's answers are transferred to the thread, and what it makes of them is transferred
 * back: do not use an answer after passing it.
 */
export interface Aside {
  /** Returns only the first few thousand dropped names. */
  translateRequest(mapping: Operation, input: LegacyInput): Promise<Translation>
  rewritePage(mapping: Operation, v1: Uint8Array): Promise<Uint8Array>
  rewriteRows(mapping: Operation, v1: Uint8Array, slice: Slice): Promise<PageRows>
  checkAcknowledged(v1: Uint8Array): Promise<void>
  readV1Error(v1: Uint8Array): Promise<V1ErrorBody>
  /**
   * Rewrites a record or list into the legacy shape.
   * @param request body of the legacy request.
   * @param lists whole lists by id, in the legacy shape; null: not available.
   */
  rewriteFilled(
    mapping: Operation,
    kind: 'record' | 'list',
    v1: Uint8Array,
    request: Uint8Array,
    lists: ReadonlyMap<string, Uint8Array | null>,
  ): Promise<Filled>
}

/** Returns the `Aside` of the client whose share a call uses. Clients take turns in the other thread. */
export type AsideOf = (share: string | undefined) => Aside

/** The gateway: what has the other thread, if there is one. */
interface HasAside {
  readonly aside: AsideOf | undefined
}

/** A call. */
interface HasShare {
  readonly share: string | undefined
}

/** Returns what processes this text of a call in another thread; undefined if the text is small or there is no such thread. */
export const asideFor = ({ aside }: HasAside, { share }: HasShare, text: Uint8Array): Aside | undefined =>
  text.length < LARGE_BYTES ? undefined : aside?.(share)

/**
 * Bodies of at least this size are processed in the other thread too, except for the first of each turn of the event loop: one
 * delays others for less than the other thread would delay it, but a client can send a thousand at once.
 */
const MEDIUM_BYTES = 16 * 1024

let hasHadOne = false

/** Like `asideFor`, for the body of a request. */
function asideForBody(gateway: HasAside, call: HasShare, body: Uint8Array): Aside | undefined {
  if (body.length < MEDIUM_BYTES || body.length >= LARGE_BYTES) return asideFor(gateway, call, body)
  if (hasHadOne) return gateway.aside?.(call.share)
  hasHadOne = true
  setImmediate(() => {
    hasHadOne = false
  })
  return undefined
}

/** Translates a legacy request, or returns why it cannot be translated. Some are translated in another thread. */
export function translateCall(
  gateway: HasAside,
  call: HasShare,
  operation: CompiledOperation,
  input: LegacyInput,
): Translation | Promise<Translation> {
  const aside = asideForBody(gateway, call, input.body)
  return aside === undefined ? operation.translateRequest(input) : aside.translateRequest(operation.mapping, input)
}
