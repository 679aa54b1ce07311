import { hash } from 'node:crypto'
import { HOUR_MS } from '../../common/time.ts'
import type { Side } from '../../exchange/exchange.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Demands } from '../tally/verdict.ts'
import type { OperationRollout, Rollout } from './rollout.ts'

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
export function whyNotInherited(entry: Said, all: Said, subject: Subject): string | undefined {
  if (all.plan === undefined || entry.plan !== undefined) return undefined
  if (entry.serve === 'v1') return 'v1 answers it already'
  if (entry.v1Percent !== undefined) return 'it has v1Percent'
  if (subject.v1 === undefined) return 'v1 has no equivalent'
  const kind = neverCompared(subject)
  if (kind === undefined || all.plan.withoutVerdict !== undefined) return undefined
  return `${kind} is never compared; give it its own plan with withoutVerdict`
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

/**
 * Chooses the side that answers a client's call: by the client's own entry in the rollout file, else by the operation's plan, else by
 * the operation's entry in the file. A client stays on its side, on every replica. Raising the percentage only moves clients to v1.
 * @param clientOf returns the client. Called only if the side depends on it.
 * @param planned the current percentage of the operation's plan; undefined: it has no plan.
 */
export function chooseSide(
  { serve, v1Percent, clients }: Pick<OperationRollout, 'serve' | 'v1Percent' | 'clients'>,
  clientOf: () => string,
  planned?: number,
): Side {
  if (hasMember(clients)) {
    const client = clientOf()
    if (Object.hasOwn(clients, client)) return clients[client] as Side
  }
  if (planned === undefined && serve === 'v1') return 'v1'
  const percent = planned ?? v1Percent
  if (percent === 0 || percent === 100) return percent === 0 ? 'legacy' : 'v1'
  return placeOf(clientOf()) < percent ? 'v1' : 'legacy'
}

function hasMember(clients: object): boolean {
  for (const _ in clients) return true
  return false
}

/** Returns a number from 0 to below 100 that is fixed for a client and evenly spread over clients. */
export function placeOf(client: string): number {
  return (hash('sha256', client, 'buffer').readUInt32BE(0) / 2 ** 32) * 100
}

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
