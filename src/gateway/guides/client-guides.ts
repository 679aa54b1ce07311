import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import type { MakeGuide } from '../../exchange/guide-form.ts'
import { keptGuides } from './kept-guides.ts'
import { type TokenCheck, tokenCheck } from './token-check.ts'

/** The guides on the legacy port: each client reads its own. */
export interface ClientGuides {
  /** As written in the request line. */
  readonly path: string
  /** Rejects with an UpstreamError. */
  readonly of: MakeGuide
  /** Whether a service accepts the token of a call now. */
  readonly isAccepted: TokenCheck
}

/**
 * Lets clients read their guides. Their path begins with a dot, unlike the paths of the interface.
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
