import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { MakeGuide } from '../../exchange/guide-form.ts'
import { keptGuides } from './kept-guides.ts'
import { type TokenCheck, tokenCheck } from './token-check.ts'

/** The guides that clients read on the legacy port, each its own. */
export interface ClientGuides {
  /** As written in the request line. */
  readonly path: string
  /** Rejects with an UpstreamError. */
  readonly of: MakeGuide
  /** Whether a service accepts the token of a call now. */
  readonly isAccepted: TokenCheck
}

/**
 * Lets clients read their guides. Other than the interface's own paths, this one begins with a dot.
 * @param make rejects with an UpstreamError.
 */
export function clientGuides(
  make: MakeGuide,
  operations: readonly CompiledOperation[],
  basePath: string,
  now: () => number = () => performance.now(),
): ClientGuides {
  return {
    path: `${basePath}/.legacy-gateway/guide`,
    of: keptGuides(make, now),
    isAccepted: tokenCheck(operations, now),
  }
}
