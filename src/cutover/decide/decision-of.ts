import type { Lineage } from '../../compare/lineage.ts'
import type { Decision } from '../cutover-store.ts'
import type { Move, Standing } from '../move.ts'
import type { Position } from '../position.ts'

/** What a decision is based on. */
export interface Facts {
  /** The versions that the evidence belongs to; undefined if there is no evidence. */
  readonly lineage: Lineage | undefined
  readonly counts: Readonly<Record<string, number>>
}

/** Returns a move in the form in which it is stored: the new position, the audit entry, and the webhook message. */
export function decisionOf(position: Position, move: Move, by: string, id: string, facts: Facts): Decision {
  const { operation } = position
  const { event, isNewStage, why } = move
  const version = position.version + 1
  const stage = isNewStage ? version : position.stage
  const [from, to] = [inWords(position), inWords(move.to)]
  const text = `${operation}: ${event}, from ${from} to ${to} (${by}): ${why}`
  return {
    position: { operation, version, ...move.to, stage, by, why },
    isNewStage,
    entry: {
      ...{ id, event, operation, by, from, to, why },
      lineage: JSON.stringify(facts.lineage ?? {}),
      counts: JSON.stringify(facts.counts),
    },
    message: { id, event, operation, from, to, why, text },
  }
}

/** Returns the counts of both sides that a decision is based on. */
export const countsOf = ({ v1, legacy }: Pick<Standing, 'v1' | 'legacy'>): Facts['counts'] => ({
  ...{ calls: v1.calls, failures: v1.failures },
  ...{ legacyCalls: legacy.calls, legacyFailures: legacy.failures },
})

/** `running at 5 %` */
const inWords = ({ state, percent }: Pick<Position, 'state' | 'percent'>): string => `${state} at ${percent} %`
