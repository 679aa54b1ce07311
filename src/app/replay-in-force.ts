import { expectationsOf } from '../control-plane/evidence/expected/expectations.ts'
import { demandsOf } from '../control-plane/rollout/operation-rollout.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import { v1Side } from '../data-plane/gateway/sides.ts'
import type { AskSide } from '../exchange/exchange.ts'
import { explain } from '../guide/lines/explain.ts'
import { versionOf } from '../mapping/corrections/mapping-version.ts'
import type { Operation } from '../mapping/operation.ts'
import type { Ask, InForce } from '../recordings/replay/replay.ts'
import { type ReplayedReport, replayResults } from '../recordings/replay/replay-results.ts'
import { buildTranslation, liveLists, type TranslationSettings } from './build-translation.ts'

/** Compares by the mappings in force, beside others that are tried. */
interface ReplayInForce {
  /** The gateway as it is now, in front of v1. */
  readonly side: AskSide
  /** Returns how to compare an operation; undefined: the mapping that is tried is the same. */
  compareBy(ask: Ask): (operation: string) => InForce | undefined
  /** Whether the mapping of an operation that is tried is another. */
  isChanged(operation: string): boolean
  /** Reports the operations whose mapping is another. */
  snapshot(): readonly ReplayedReport[]
  close(): Promise<void>
}

/** @param tried the mappings that are tried. */
export function replayInForce(
  config: TranslationSettings,
  { v1Url }: { readonly v1Url: URL },
  rollout: Rollout,
  tried: readonly Operation[],
  inForce: readonly Operation[],
): ReplayInForce {
  const translation = buildTranslation(config, v1Url, undefined, inForce)
  const lists = liveLists()
  const changed = inForce.filter((operation, index) => versionOf(operation) !== versionOf(tried[index] as Operation))
  const expectations = new Map(
    changed.map((mapping) => [mapping.id, expectationsOf(mapping, explain(mapping), rollout.rules)]),
  )
  const results = replayResults({ expectations, demandsOf: (operation) => demandsOf(rollout, operation, Date.now) })
  return {
    side: v1Side({ ...translation.gateway, lists }, translation.operations.findAtLegacy),
    compareBy: (askCandidate) => (operation) => {
      const expected = expectations.get(operation)
      return expected && { askCandidate, expectations: expected, record: results.record }
    },
    isChanged: (operation) => expectations.has(operation),
    snapshot: results.snapshot,
    async close() {
      lists.close()
      await translation.close()
    },
  }
}
