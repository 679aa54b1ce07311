import { HOUR_MS } from '../../common/time.ts'
import { neverCompared, ONLY_WITH_A_COPY, type Subject } from '../evidence/comparable.ts'
import type { Demands } from '../evidence/tally/verdict.ts'
import type { OperationRollout, Rollout } from './rollout.ts'

/** An operation's own entry in the file. */
export type Said = Partial<OperationRollout>

/** Returns why an operation does not inherit the plan of `*`; undefined: it does, or `*` has no plan. */
export function whyNotInherited(entry: Said, all: Said, subject: Subject): string | undefined {
  if (all.plan === undefined || entry.plan !== undefined) return undefined
  if (entry.serve === 'v1') return 'v1 answers it already'
  if (entry.v1Percent !== undefined) return 'it has v1Percent'
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  const kind = neverCompared(subject, (entry.shadowWrites ?? all.shadowWrites) === 'copy')
  if (kind === undefined || all.plan.withoutVerdict !== undefined) return undefined
  return `${ONLY_WITH_A_COPY}; without one, give it its own plan with withoutVerdict`
}

/**
 * Completes an operation's entry: members that it leaves out come from `*`, then from the defaults. Its own `v1Percent` or
 * `serve: "v1"` replaces a plan of `*`, and its own plan replaces `v1Percent` of `*` (docs/decisions/0044).
 * @param subject undefined: the file cannot name the operation.
 */
export function inherit(
  entry: Said,
  all: Said,
  defaults: OperationRollout,
  subject: Subject | undefined,
): OperationRollout {
  const complete = { ...defaults, ...all, ...entry }
  if (entry.plan !== undefined) return { ...complete, v1Percent: defaults.v1Percent }
  const inherits = subject !== undefined && whyNotInherited(entry, all, subject) === undefined
  return inherits ? complete : { ...complete, plan: undefined }
}

/** Returns which operations have their writes sent to a copy of v1. */
export const copiedBy =
  ({ of }: Pick<Rollout, 'of'>) =>
  (operation: string): boolean =>
    of(operation).shadowWrites === 'copy'

/** Returns what the rollout file requires of an operation. `now` is in ms since the epoch. */
export const demandsOf = (
  { of, confidence, unjudged, fresh, waive }: Rollout,
  operation: string,
  now: () => number,
): Demands => ({
  target: of(operation).target,
  require: of(operation).require,
  confidence,
  unjudged,
  sendsToCopy: copiedBy({ of })(operation),
  waive: waive.filter((rule) => rule.operation === operation || rule.operation === '*'),
  fresh: fresh === undefined ? undefined : { hours: fresh, since: now() - fresh * HOUR_MS },
})
