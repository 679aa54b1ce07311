import type { Operation } from '../../mapping/operation.ts'
import type { Demands } from '../tally/verdict.ts'
import type { Rollout } from './rollout.ts'

/** Returns what the rollout file demands of an operation. */
export const demandsOf = ({ of, confidence, unjudged, fresh }: Rollout, operation: string): Demands => ({
  target: of(operation).target,
  require: of(operation).require,
  confidence,
  unjudged,
  freshHours: fresh,
})

/** Returns the operations that can be compared: reads and calculations that v1 has. Each login has its own token. */
export const comparableOf = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ id, v1, login, effect }) =>
    v1 !== undefined && login === undefined && effect !== 'write' ? [id] : [],
  )
