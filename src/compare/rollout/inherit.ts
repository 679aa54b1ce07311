import type { Operation } from '../../mapping/operation.ts'
import type { OperationRollout } from './rollout.ts'

/** The parts of a mapping that decide what the file may say about an operation. */
export type Subject = Pick<Operation, 'id' | 'v1' | 'effect' | 'login'>

/** An operation's own entry in the file. */
export type Said = Partial<OperationRollout>

/** Returns what kind of operation is never sent to a second service, and so never compared; undefined: it can be compared. */
export function neverCompared({ effect, login }: Subject): 'a login' | 'a write' | undefined {
  if (login !== undefined) return 'a login'
  return effect === 'write' ? 'a write' : undefined
}

/** Returns why none of an operation's calls is ever compared, whatever the file says; undefined: they can be compared. */
export const whyNeverCompared = (subject: Subject): string | undefined =>
  subject.v1 === undefined ? 'v1 has no equivalent' : neverCompared(subject)

/** Whether an operation can have the verdict `ready`; writes and logins are never compared. */
export const canBeReady = (subject: Subject): boolean => neverCompared(subject) === undefined

/** Returns why an operation does not inherit the plan of `*`; undefined: it does, or `*` has no plan. */
export function whyNotInherited(own: Said, all: Said, subject: Subject): string | undefined {
  if (all.plan === undefined || own.plan !== undefined) return undefined
  if (own.serve === 'v1') return 'v1 answers it already'
  if (own.v1Percent !== undefined) return 'it has v1Percent'
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  const kind = neverCompared(subject)
  if (kind === undefined || all.plan.withoutVerdict !== undefined) return undefined
  return `${kind} is never compared; give it its own plan with withoutVerdict`
}

/**
 * Completes an operation's entry: members that it leaves out come from `*`, then from the defaults. Its own `v1Percent` or
 * `serve: "v1"` replaces a plan of `*`, and its own plan replaces `v1Percent` of `*` (docs/decisions/0078).
 * @param subject undefined: the file cannot name the operation.
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
