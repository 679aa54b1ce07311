import type { Operation } from '../../mapping/operation.ts'
import type { OperationRollout } from './rollout.ts'

/** What decides what the file can say of an operation. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/** What the file says of an operation itself. */
export type Said = Partial<OperationRollout>

/** What is never sent to a second service, and so never compared; undefined: an operation that can be. */
export function neverCompared({ effect, login }: Subject): 'a login' | 'a write' | undefined {
  if (login !== undefined) return 'a login'
  return effect === 'write' ? 'a write' : undefined
}

/** Whether an operation can have the verdict `ready`; writes and logins are never compared. */
export const canBeReady = (subject: Subject): boolean => neverCompared(subject) === undefined

/** Why an operation does not take over the plan of `*`; undefined: it does, or there is none. */
export function whyNotInherited(own: Said, all: Said, subject: Subject): string | undefined {
  if (all.plan === undefined || own.plan !== undefined) return undefined
  if (own.serve === 'v1') return 'v1 answers it already'
  if (own.v1Percent !== undefined) return 'it has v1Percent'
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  const kind = neverCompared(subject)
  if (kind === undefined || all.plan.withoutVerdict !== undefined) return undefined
  return `${kind} is never compared; give it a plan of its own that says withoutVerdict`
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
