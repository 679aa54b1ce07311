import {
  ASKED_TO_SLOW_DOWN,
  type AskSide,
  type BothAnswers,
  type Exchange,
  isPartial,
  OVERLOADED,
} from '../../exchange/exchange.ts'
import type { Purpose } from '../../exchange/purpose.ts'
import { versionOf } from '../../mapping/corrections/mapping-version.ts'
import type { Operation } from '../../mapping/operation.ts'
import type { Rollout } from '../rollout/rollout.ts'
import { type AskAgain, observeAndConfirm } from './compare-answers.ts'
import {
  type AnsweredExchange,
  type Compared,
  type Comparing,
  isTooLarge,
  MAX_COMPARED_BYTES,
  notCompared,
} from './compare-exchange.ts'
import { MAPPING_CHANGED, skipped, unjudged } from './observation.ts'
import type { Learning } from './proposals/learn-from-answers.ts'
import { replyOf, sizeOf } from './reply.ts'

/** What asking the sides needs. */
export interface AskOptions {
  readonly rollout: () => Rollout
  /** Asks v1 itself: lists never come from the cache. */
  readonly askV1: AskSide
  readonly askLegacy: AskSide
  /** Why an operation is never sent to a second side (a write, …); null: it is sent. */
  readonly whyNot: (operation: string) => 'write' | string | null
  /** Returns an operation's mapping: another object when it was corrected. */
  readonly mapping: (operation: string) => Operation
  /** Returns what to learn from the next exchange of an operation. */
  readonly learningOf: (operation: string) => Learning
  /** Compares answers and checks writes in a thread of its own. */
  readonly comparing: Pick<Comparing, 'compare' | 'checkWrite'>
}

/** The processor time that comparing an exchange may take, because others wait meanwhile. */
const BUDGET_MS = 250

const TOO_MANY_REQUESTS = 429

/** Whether v1 was read for this very call, so that its answer is a new piece of evidence. */
export const readsAnew = ({ answeredBy, isCached, status }: Exchange): boolean =>
  answeredBy === 'v1' && !isCached && !isPartial(status)

/** Compares an exchange, unless its operation's mapping has changed since v1's answer was translated, or changes meanwhile. */
export async function askAndCompare(options: AskOptions, exchange: Exchange): Promise<Compared> {
  const { operation, version } = exchange
  const { mapping, whyNot } = options
  const before = mapping(operation)
  const changed = notCompared(skipped(operation, MAPPING_CHANGED))
  if ((readsAnew(exchange) || exchange.both !== undefined) && version !== versionOf(before)) return changed
  const compared = await (whyNot(operation) === null ? compareAnswers(options, exchange) : checkOnly(options, exchange))
  return mapping(operation) === before ? compared : changed
}

async function compareAnswers(options: AskOptions, exchange: Exchange): Promise<Compared> {
  const { rollout, askV1, askLegacy } = options
  const { operation, request, answeredBy, credentials, status } = exchange
  if (exchange.both !== undefined) return compareBoth(options, exchange, exchange.both)
  const { timeoutMs } = rollout().limits
  const { noise, confirm } = rollout().of(operation)
  const isWhole = !exchange.isCached && !isPartial(status)
  const own = isWhole ? replyOf(exchange.answer()) : undefined
  const asking = (purpose: Purpose): AskAgain => ({
    control: () => replyOf(askLegacy(request, credentials.legacy, timeoutMs, purpose)),
    candidate: () => replyOf(askV1(request, credentials.v1, timeoutMs, purpose)),
  })
  const [ask, askAgain] = [asking('compare'), asking('confirm')]
  const candidateWasFirst = own !== undefined && answeredBy === 'v1'
  const control = await (own !== undefined && answeredBy === 'legacy' ? own : ask.control())
  const candidate = await (candidateWasFirst ? own : ask.candidate())
  // How often v1 lets the client call, no call of the gateway's own can confirm.
  const isLimited = candidateWasFirst && candidate.status === TOO_MANY_REQUESTS
  const control2 = noise && control.status !== undefined ? await askAgain.control() : undefined
  return observeAndConfirm<AnsweredExchange, Compared>(
    { ...knownOf(options, exchange), control, candidate, control2, candidateWasFirst },
    confirm && !isLimited ? askAgain : undefined,
    (answered) => compareAnswered(options, answered),
  )
}

/** Returns what is known of an exchange beside the answers. */
function knownOf({ learningOf }: AskOptions, exchange: Exchange): Omit<AnsweredExchange, 'control' | 'candidate'> {
  const { operation, request, client, at, rolloutClient, countedClient, facts, status } = exchange
  return {
    ...{ operation, request, client, at, rolloutClient, countedClient, facts },
    ...{ answeredWith: status, budgetMs: BUDGET_MS, learning: learningOf(operation) },
  }
}

const compareAnswered = async ({ comparing }: AskOptions, answered: AnsweredExchange): Promise<Compared> =>
  isTooLarge(answered) ? notCompared(unjudged(answered.operation, 'too large')) : comparing.compare(answered)

/** These failures say nothing about any service. */
const OF_NO_SERVICE: ReadonlySet<string> = new Set([OVERLOADED, ASKED_TO_SLOW_DOWN])

/** Compares what both sides made of a call that was sent to both. Neither is asked again, so nothing is drift. */
function compareBoth(
  options: AskOptions,
  exchange: Exchange,
  { control, candidate }: BothAnswers,
): Promise<Compared> | Compared {
  if (candidate.status === undefined && !OF_NO_SERVICE.has(candidate.failure) && control.status !== undefined) {
    return notCompared(unjudged(exchange.operation, `v1: ${candidate.failure}`))
  }
  return compareAnswered(options, { ...knownOf(options, exchange), control, candidate })
}

/** Whether a call that is never sent to a second side is still checked: a write that legacy has answered. */
export const isChecked = ({ rollout }: AskOptions, { operation, answeredBy }: Exchange, reason: string): boolean =>
  reason === 'write' && answeredBy === 'legacy' && rollout().of(operation).shadowWrites === 'translate-only'

/** Checks a write without asking the other side. */
async function checkOnly({ comparing }: AskOptions, exchange: Exchange): Promise<Compared> {
  const { operation, request, client, at, rolloutClient, countedClient, facts } = exchange
  const answer = await replyOf(exchange.answer())
  if (sizeOf(answer) > MAX_COMPARED_BYTES) return notCompared(unjudged(operation, 'too large'))
  const who = { client, rolloutClient, countedClient, facts }
  return comparing.checkWrite({ operation, request, answer, at, ...who, budgetMs: BUDGET_MS })
}
