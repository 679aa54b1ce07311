import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { MakeGuide } from '../exchange/guide-form.ts'
import { type ClientGuides, clientGuides } from '../gateway/guides/client-guides.ts'
import { StateError } from '../state/state-error.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Config } from './config.ts'

export type OwnGuideSettings = Pick<Config, 'basePath'> & Partial<Pick<Config, 'clientGuides'>>

/**
 * Builds what serves each client its own guide on the legacy port; undefined: `CLIENT_GUIDES` is off.
 * @param make rejects with a StateError.
 */
export function buildOwnGuides(
  { clientGuides: areServed, basePath }: OwnGuideSettings,
  operations: readonly CompiledOperation[],
  make: MakeGuide,
): ClientGuides | undefined {
  if (areServed !== true) return undefined
  const makeOrFail: MakeGuide = (client) =>
    make(client).catch((error: unknown) => {
      throw error instanceof StateError ? new UpstreamError('unavailable', error.message, { cause: error }) : error
    })
  return clientGuides(makeOrFail, operations, basePath)
}
