import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { keptGuides } from './kept-guides.ts'
import { type TokenCheck, tokenCheck } from './token-check.ts'

/** A client's guide, in each form that it is served in. */
export interface GuideTexts {
  readonly html: string
  readonly markdown: string
  readonly json: string
}

/**
 * Returns a client's guide, by the name that the client counts under; undefined: nothing is known of the client. Rejects with an
 * UpstreamError while that cannot be found out.
 */
export type MakeGuide = (client: string) => Promise<GuideTexts | undefined>

/** The guides that clients read on the legacy port, each its own. */
export interface ClientGuides {
  /** As written in the request line. */
  readonly path: string
  readonly of: MakeGuide
  /** Whether a service accepts the token of a call now. */
  readonly isAccepted: TokenCheck
}

/** Lets clients read their guides. Other than the interface's own paths, this one begins with a dot. */
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
