import type { Operation } from '../../mapping/operation.ts'
import type { OperationRollout } from './rollout.ts'

/** What decides what the file can say of an operation. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/** What the file says of an operation itself. */
export type Said = Partial<OperationRollout>

/** Whether an operation can have the verdict `ready`; writes and logins are never compared. */
export const canBeReady = ({ effect, login }: Subject): boolean => effect !== 'write' && login === undefined

/** Why an operation does not take over the plan of `*`; undefined: it does, or there is none. */
export function whyNotInherited(own: Said, all: Said, subject: Subject): string | undefined {
  if (all.plan === undefined || own.plan !== undefined) return undefined
  if (own.serve === 'v1') return 'v1 answers it already'
  if (own.v1Percent !== undefined) return 'it has v1Percent'
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  if (canBeReady(subject) || all.plan.withoutVerdict !== undefined) return undefined
  return `${subject.login === undefined ? 'a write' : 'a login'} is never compared; give it a plan of its own that says withoutVerdict`
}

/**
 * Completes what the file says of an operation: what it leaves out comes from `*`, then from the defaults. Its own `v1Percent` or
 * `serve: "v1"` takes the place of a plan of `*`, and its own plan that of `v1Percent` of `*` (docs/decisions/0078).
 * @param subject undefined: an operation that the file cannot be about.
 */
export function inherit(
  own: Said,
  all: Said,
  defaults: OperationRollout,
  subject: Subject | undefined,
): OperationRollout {
  const complete = { ...defaults, ...all, ...own }
  if (own.plan !== undefined) return { ...complete, v1Percent: defaults.v1Percent }
  const inherits = subject !== undefined && whyNotInherited(own, all, subject) === undefined
  return inherits ? complete : { ...complete, plan: undefined }
}
