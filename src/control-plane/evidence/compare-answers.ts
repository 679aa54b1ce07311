import { ASKED_TO_SLOW_DOWN, OVERLOADED, type V1Answer } from '../../exchange/exchange.ts'
import { type AskedRequest, shownLines } from './coverage/lines-to-see.ts'
import { Budget, NO_LIMIT, TooCostly } from './diff/budget.ts'
import { type Again, diff } from './diff/diff.ts'
import { type Comparison, type Difference, Findings, joined, partOf } from './diff/difference.ts'
import { Pairs } from './diff/pair-items.ts'
import { type Expectations, whyIgnored } from './expected/expectations.ts'
import type { Leniency } from './expected/leniency.ts'
import type { MappingLine } from './expected/mapping-lines.ts'
import {
  bothRefused,
  DROPPED_BY_OVERLOAD,
  hashesOf,
  type Observation,
  type RequestIdentity,
  stratumOf,
  unjudged,
} from './observation.ts'
import { type Learning, learnFromAnswers, onlyDifferences, onlyThose } from './proposals/learn-from-answers.ts'
import type { Settled } from './proposals/proposed-lines.ts'
import type { TrialResult } from './proposals/trial.ts'
import {
  controlFailed,
  durationsOf,
  type Failure,
  isFailure,
  type ReadAnswer,
  type Reply,
  readReply,
  refusesWhoeverAsks,
} from './reply.ts'
import { requestFeatures } from './tally/circumstances.ts'
import { droppedMembers } from './writes/dropped-members.ts'

/** One request with the replies of both sides. */
export interface Asked extends RequestIdentity {
  readonly operation: string
  readonly expectations: Expectations
  readonly control: Reply
  readonly candidate: Reply
  /** The second answers to the same request, which tell drift from a difference; undefined: the side was not asked again. */
  readonly control2?: Reply | undefined
  readonly candidate2?: Reply | undefined
  /** The candidate's first answer came before the control's. */
  readonly candidateWasFirst?: boolean
  /** The request, to find the mapping lines that it shows; undefined: no lines are counted. */
  readonly request?: AskedRequest | undefined
  /** The line in the recording, from 1. */
  readonly line?: number | undefined
  /** The client that the usage counts the call under; undefined: unknown. */
  readonly countedClient?: string | undefined
  /** What the request's headers say; see `requestFacts`. Undefined: only those in `request` are known. */
  readonly facts?: readonly string[] | undefined
  /** The client's name in the rollout file; undefined: unknown. It is not kept. */
  readonly rolloutClient?: string | undefined
  /** The status with which the call was answered when it was made; undefined: unknown. */
  readonly answeredWith?: number | undefined
  /** Returns the candidate's answer with the control's values where two copies of the service gave different ones; see `Given`. */
  readonly matched?: ((control: ReadAnswer, candidate: ReadAnswer) => ReadAnswer) | undefined
  /** How long the comparison may take; ms. Unset: no limit. */
  readonly budgetMs?: number | undefined
  /** What to learn from v1's own answer; unset: nothing. */
  readonly learning?: Learning | undefined
  /** If answers differ, both sides are asked again (`observeAndConfirm`), and only then is anything learned or tried. */
  readonly isAskedAgain?: boolean
  /** The certain lines, to compare once more with them; unset: there are none. */
  readonly trial?: TryLines | undefined
}

/** How answers are compared when the certain lines are in force. */
export interface TryLines {
  readonly expectations: Expectations
  /** Returns v1's answer as the gateway would translate it with these lines; undefined: it cannot be known. */
  translate(reply: Reply, request: AskedRequest): Reply | undefined
}

const TOO_MANY_REQUESTS = 429

/** Compares the answers of both sides to the same request. If that takes too long, the exchange is not judged. */
export function observation(asked: Asked): Observation {
  try {
    const found = compared(asked)
    if (asked.learning === undefined || found.outcome === 'failed' || found.outcome === 'skipped') return found
    if (asked.isAskedAgain && isToConfirm(found)) return found
    const counting = found.differences.filter((_, index) => found.counts[index] === true)
    const withV1 = pairWithV1(asked)
    if (withV1 === undefined) {
      return counting.length === 0 ? found : { ...found, learned: onlyDifferences(counting, [V1_UNKNOWN]) }
    }
    if (withV1 === asked) return withTrial(found, asked, found)
    const second = compared(withV1)
    const learned = second.learned && onlyThose(counting, second.learned)
    return withTrial({ ...found, ...(learned && { learned }) }, withV1, second)
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return unjudged(asked.operation, 'too costly', asked.line)
  }
}

/** Returns the answers of both sides of which v1's own is known: the second ones, if v1 answered the client. Undefined: there are none. */
function pairWithV1(asked: Asked): Asked | undefined {
  const { candidate, control2, candidate2 } = asked
  if (v1AnswerOf(candidate) !== undefined) return asked
  if (control2 === undefined || v1AnswerOf(candidate2) === undefined || candidate2 === undefined) return undefined
  return {
    ...asked,
    ...{ control: control2, candidate: candidate2, control2: undefined, candidate2: undefined },
    candidateWasFirst: false,
  }
}

const v1AnswerOf = (reply: Reply | undefined): V1Answer | undefined =>
  reply?.status === undefined ? undefined : reply.v1Answer

const V1_UNKNOWN = 'of some exchanges, what v1 itself answered is not known'

function withTrial(found: Observation, asked: Asked, without: Observation): Observation {
  const trial = asked.trial && tried(asked, asked.trial, without)
  return trial === undefined ? found : { ...found, trial }
}

/** Compares once more, with the certain lines in force. Undefined: that shows nothing. */
function tried(asked: Asked, { expectations, translate }: TryLines, without: Observation): TrialResult | undefined {
  const { request, candidate2 } = asked
  const candidate = request && translate(asked.candidate, request)
  if (request === undefined || candidate === undefined || without.isUnjudged) return undefined
  const again = candidate2 && translate(candidate2, request)
  const found = compared({ ...asked, expectations, candidate, candidate2: again, learning: undefined })
  if (found.outcome === 'failed' || found.outcome === 'skipped') return undefined
  return { without: countingIn(without), withThem: countingIn(found) }
}

/** Returns the differences that count. */
const countingIn = ({ differences, counts }: Observation): readonly Settled[] =>
  differences.flatMap(({ kind, path }, index) => (counts[index] === true ? [{ kind, path }] : []))

function compared(asked: Asked): Observation {
  const budget = asked.budgetMs === undefined ? NO_LIMIT : new Budget(asked.budgetMs)
  const { operation, expectations, line, request, control2, candidate2 } = asked
  const failures = [asked.control, asked.candidate, control2, candidate2].map((reply) => reply?.failure)
  if (failures.includes(OVERLOADED)) return unjudged(operation, DROPPED_BY_OVERLOAD, line)
  if (failures.includes(ASKED_TO_SLOW_DOWN)) return unjudged(operation, ASKED_TO_SLOW_DOWN, line)
  const control = readReply(asked.control, expectations)
  const candidate = readReply(asked.candidate, expectations)
  const again = asked.control2 && readReply(asked.control2, expectations)
  const failed = (failure: Failure): Observation => ({
    ...unjudged(operation, controlFailed(failure), line),
    ...{ outcome: 'failed', malformedAt: failure.at },
  })
  if (isFailure(control)) return failed(control)
  if (isFailure(again)) return failed(again)
  const refusedWith = !isFailure(candidate) && candidate.status === control.status ? refusalIn(control) : undefined
  if (refusedWith !== undefined && refusesWhoeverAsks(refusedWith, expectations)) {
    return unjudged(operation, bothRefused(refusedWith), line)
  }
  // What a client may ask how often says nothing about the answer.
  if (control.status === TOO_MANY_REQUESTS) return failed({ failure: String(TOO_MANY_REQUESTS) })
  const sent = request && expectations.sentBy(request)
  const leniency = expectations.leniency({ client: asked.rolloutClient, sent, request })
  const pairs = asked.learning && new Pairs()
  const notSent = request === undefined ? [] : expectations.notSentIn(request, budget)
  const { differences, examples } = joined(
    isFailure(candidate)
      ? failureOf(candidate.failure, leniency)
      : diff(control, matchedBy(asked, control, candidate), again && secondLook(asked, again), budget, leniency, pairs),
    droppedMembers(expectations.isWrite && refusalIn(control) === undefined ? notSent : [], leniency),
  )
  const standing = differences.filter(({ standing }) => standing !== 'drift')
  const reasons = new Map(
    standing.map((difference) => {
      budget.step()
      return [difference, whyIgnored(expectations, difference, sent)]
    }),
  )
  const counting = standing.filter((difference) => reasons.get(difference) === null)
  if (counting.length > 0 && counting.every(({ standing }) => standing === 'changed meanwhile')) {
    return unjudged(operation, 'changed meanwhile', line)
  }
  if (counting.length > 0 && again && !isFailure(candidate)) {
    const unlike = whyUnlike(control, candidate, again)
    if (unlike !== undefined) return failed({ failure: unlike })
  }
  if (refusedWith !== undefined && counting.length === 0 && wasSuccess(asked.answeredWith)) {
    return unjudged(operation, bothRefused(refusedWith), line)
  }
  const coverage =
    request === undefined || sent === undefined
      ? []
      : shownLines(expectations, { headers: request.headers, sent }, control, asked.candidate.code, reasons)
  const v1 = v1AnswerOf(asked.candidate)
  const outcome = counting.length > 0 ? 'mismatched' : differences.length > 0 ? 'ignored' : 'matched'
  const learned =
    pairs && v1 && !isFailure(candidate) && !(asked.isAskedAgain && isToConfirm({ outcome, differences }))
      ? learnFromAnswers({
          ...{ expectations, watched: asked.learning?.watched, pairs, v1, notSent },
          ...{ control, candidate, again, differences: counting },
        })
      : undefined
  return {
    ...{ operation, outcome, reason: null, isUnjudged: false, line, differences, examples },
    counts: differences.map((difference) => reasons.get(difference) === null),
    stratum: stratumOf({ status: control.status, json: control.read.json }, expectations.response),
    assumptions: testAssumptions(expectations, control, differences, budget),
    ...{ coverage, notSent, sent },
    ...(request !== undefined && {
      shownBy: {
        client: asked.countedClient,
        features: requestFeatures({ request, facts: asked.facts, coverage, notSent }),
        malformed: isFailure(candidate) ? candidate.malformed : undefined,
      },
    }),
    ...hashesOf(asked),
    ...{ durations: durationsOf(asked), releases: { v1: asked.candidate.release, legacy: asked.control.release } },
    isRefusal: refusedWith !== undefined && asked.answeredWith === undefined && asked.isProbe !== true,
    ...(learned !== undefined && { learned }),
  }
}

const refusalIn = ({ status }: ReadAnswer): number | undefined => (status >= 400 ? status : undefined)

/** Whether a call was a success when it was made: then an equal refusal says nothing about it. Other errors show how errors are translated. */
const wasSuccess = (answeredWith: number | undefined): boolean => answeredWith !== undefined && answeredWith < 400

/**
 * Why the control's second answer cannot tell drift from a difference, such as `429`; undefined: it can. If the candidate's
 * first answer had the same other status, the data changed.
 */
function whyUnlike(control: ReadAnswer, candidate: ReadAnswer, again: ReadAnswer): string | undefined {
  if (candidate.status !== control.status && candidate.status === again.status) return undefined
  if (again.status !== control.status) return String(again.status)
  return control.read.json !== undefined && again.read.json === undefined ? 'not JSON' : undefined
}

/** The difference of a candidate that gave no answer. */
function failureOf(failure: string, leniency: Leniency | undefined): Comparison {
  const findings = new Findings('status', leniency)
  findings.add({ kind: 'failure', path: '', detail: failure })
  return findings.comparison()
}

const matchedBy = ({ matched }: Asked, control: ReadAnswer, candidate: ReadAnswer): ReadAnswer =>
  matched?.(control, candidate) ?? candidate

function secondLook(asked: Asked, control: ReadAnswer): Again {
  const { candidate2, candidateWasFirst = false, expectations } = asked
  const candidate = candidate2 && readReply(candidate2, expectations)
  if (candidate === undefined || isFailure(candidate)) return { control, candidate: undefined, candidateWasFirst }
  return { control, candidate: matchedBy(asked, control, candidate), candidateWasFirst }
}

function testAssumptions(
  { assumptions }: Expectations,
  { status, read: { json } }: ReadAnswer,
  differences: readonly Difference[],
  budget: Budget,
): Observation['assumptions'] {
  const part = partOf(status)
  if (json === undefined || differences.some(({ part: where }) => where === 'status')) return []
  const tested: { readonly line: MappingLine; readonly holds: boolean }[] = []
  for (const assumption of assumptions) {
    if (assumption.part !== part) continue
    const { line } = assumption
    const refutes = (difference: Difference): boolean => {
      budget.step()
      return assumption.isRefutedBy(difference)
    }
    if (differences.some(refutes)) tested.push({ line, holds: false })
    else if (assumption.isIn(json)) tested.push({ line, holds: true })
  }
  return tested
}

/** Sends the same request to a side once more. */
export interface AskAgain {
  control(): Promise<Reply>
  candidate(): Promise<Reply>
}

/** Whether answers differ, rather than that the candidate failed. */
const isToConfirm = ({ outcome, differences }: Pick<Observation, 'outcome' | 'differences'>): boolean =>
  outcome === 'mismatched' && differences.every(({ kind }) => kind !== 'failure')

/**
 * Observes an exchange. If its answers differ, asks both sides once more, control first, so that changed data do not count as
 * a difference (docs/decisions/0060). Does not ask again if the candidate failed.
 * @param again undefined: neither side may be asked again.
 */
export async function observeAndConfirm<Sides extends Pick<Asked, 'control2'>, Result extends Observation>(
  asked: Sides,
  again: AskAgain | undefined,
  observe: (asked: Sides & Pick<Asked, 'control2' | 'candidate2' | 'isAskedAgain'>) => Result | Promise<Result>,
): Promise<Result> {
  const first = await observe({ ...asked, isAskedAgain: again !== undefined })
  if (!isToConfirm(first) || again === undefined) return first
  const control2 = asked.control2 ?? (await again.control())
  return observe({ ...asked, control2, candidate2: await again.candidate() })
}
