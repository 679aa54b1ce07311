import { hash } from 'node:crypto'
import type { BrownoutRule } from '../control-plane/rollout/brownout-rule.ts'
import type { Side } from '../exchange/exchange.ts'

/** What the control plane has decided, and the data plane acts on until it gets the next: plain data that never changes. */
export interface Decisions {
  /** By id of the operation. */
  readonly operations: Readonly<Record<string, OperationDecision>>
  /** The brownouts of the rollout file that are not over. */
  readonly brownouts: readonly Brownout[]
  /** Before this time no call is refused; ms since the epoch. Infinity: no brownout is planned, or it is not known who ended them. */
  readonly refusesFrom: number
  /** Whether every exchange is recorded. */
  readonly isRecording: boolean
}

/** Who answers an operation, and which share of its calls is compared. */
export interface OperationDecision {
  readonly serve: Side
  /** The percentage of clients that v1 answers while `serve` is `legacy`: of the plan, or of the rollout file. */
  readonly v1Percent: number
  /** The seed of the plan, which draws the clients together with their ids; unset: their ids alone do. */
  readonly seed?: string | undefined
  /** Sides by client. They override the others. */
  readonly clients: Readonly<Record<string, Side>>
  /** The clients that may choose the side themselves; `*`: all. */
  readonly mayChoose: readonly string[] | '*'
  /** The share of calls that are compared, 0 to 1. */
  readonly shadow: number
}

/** A brownout of the rollout file, with its times as numbers. */
export interface Brownout {
  /** Its number in the rollout file, from 1. */
  readonly n: number
  /** Its name in the usage. */
  readonly key: string
  readonly rule: BrownoutRule
  /** ms since the epoch. */
  readonly from: number
  /** When it ends: as its rule says, or earlier if someone ended it; ms since the epoch. */
  readonly until: number
}

/**
 * Chooses the side that answers a client's call: by the client's own entry in the rollout file, else by the operation's plan, else by
 * the operation's entry in the file. A client stays on its side, on every replica. Raising the percentage only moves clients to v1.
 * @param clientOf returns the client. Called only if the side depends on it.
 * @param planned the current percentage of the operation's plan; undefined: it has no plan, or `v1Percent` is that of its plan.
 */
export function chooseSide(
  { serve, v1Percent, clients, seed }: Pick<OperationDecision, 'serve' | 'v1Percent' | 'clients' | 'seed'>,
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
  return placeOf(clientOf(), seed) < percent ? 'v1' : 'legacy'
}

/** Whether a client may choose the side that answers its calls. @param clientOf returns the client. Called only if it matters. */
export const mayChoose = ({ mayChoose: who }: Pick<OperationDecision, 'mayChoose'>, clientOf: () => string): boolean =>
  who === '*' || (who.length > 0 && who.includes(clientOf()))

function hasMember(clients: object): boolean {
  for (const _ in clients) return true
  return false
}

/**
 * Returns a number from 0 to below 100 that is fixed for a client, or another text, and evenly spread over clients.
 * @param seed another one gives the client another number; unset: the number that it has in all plans without a seed.
 */
export const placeOf = (client: string, seed?: string): number => {
  const drawn = seed === undefined ? client : JSON.stringify([seed, client])
  return (hash('sha256', drawn, 'buffer').readUInt32BE(0) / 2 ** 32) * 100
}

/** A call that may be refused. */
export interface ConcernedCall {
  readonly operation: string
  /** Named as in the rollout file. */
  readonly client: string
  /** When it arrived; ms since the epoch. */
  readonly now: number
  /** Draws a random number from 0 up to 100. Called only where a share of all calls is refused. */
  readonly place: () => number
}

const EVERYTHING = '*'

/** Returns the brownout that refuses a call, the first in the file if there are several; undefined if none does. */
export function brownoutOf(brownouts: readonly Brownout[], call: ConcernedCall): Brownout | undefined {
  return brownouts.find(
    (brownout) =>
      call.now >= brownout.from &&
      call.now < brownout.until &&
      concerns(brownout.rule, call.operation) &&
      !brownout.rule.except.includes(call.client) &&
      (brownout.rule.of === 'clients' ? isChosen(brownout.rule, call.client) : call.place() < brownout.rule.percent),
  )
}

/** Whether a brownout concerns this operation. */
export const concerns = ({ operations }: BrownoutRule, operation: string): boolean =>
  operations.includes(operation) || operations.includes(EVERYTHING)

/** Whether a brownout may refuse calls of a client: all of them (`of: clients`), or some (`of: calls`). */
export const mayHit = (rule: BrownoutRule, client: string): boolean =>
  !rule.except.includes(client) && (rule.of === 'calls' || isChosen(rule, client))

/**
 * Whether a brownout of clients has chosen this one. Each brownout chooses different clients, independently of the place that
 * `v1Percent` goes by, so that the same clients are not always the first. All replicas choose the same.
 */
const isChosen = ({ from, operations, percent }: BrownoutRule, client: string): boolean =>
  placeOf(JSON.stringify([from, operations, client])) < percent
