import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { type ClientGuides, clientGuides, type MakeGuide } from '../gateway/guides/client-guides.ts'
import { StateError } from '../state/state-error.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { Config } from './config.ts'

export type GuideSettings = Pick<Config, 'basePath'> & Partial<Pick<Config, 'clientGuides'>>

/** Builds what lets clients read their guides on the legacy port; undefined: they do not. */
export function buildGuides(
  { clientGuides: areServed, basePath }: GuideSettings,
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
