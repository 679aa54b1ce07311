import { HOUR_MS } from '../../common/time.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Demands } from '../tally/verdict.ts'
import type { Rollout } from './rollout.ts'

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
  waive: waive.filter((rule) => rule.operation === operation || rule.operation === '*'),
  fresh: fresh === undefined ? undefined : { hours: fresh, since: now() - fresh * HOUR_MS },
})

/**
 * Returns the operations that can be compared: reads and calculations that v1 has, and also writes if copies of both services are
 * compared. Logins cannot, because each service issues its own token.
 */
export const comparableOf = (operations: readonly Operation[], withWrites = false): readonly string[] =>
  operations.flatMap(({ id, v1, login, effect }) =>
    v1 !== undefined && login === undefined && (withWrites || effect !== 'write') ? [id] : [],
  )
