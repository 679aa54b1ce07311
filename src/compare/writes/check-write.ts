import type { ExchangeRequest } from '../../exchange/exchange.ts'
import { Budget, TooCostly } from '../diff/budget.ts'
import type { Comparison } from '../diff/difference.ts'
import { whyIgnored } from '../expected/expectations.ts'
import { hashesOf } from '../observation-hashes.ts'
import { type Asked, type Observation, skipped, unjudged } from '../observe-exchange.ts'
import { controlFailed, isFailure, type ReadAnswer, type Reply, readReply } from '../read-reply.ts'
import { stratumOf } from '../strata.ts'
import { refusedWith, roundTripOf } from './round-trip.ts'

/** How the gateway would translate a write, without sending it. */
export interface WriteTranslation {
  /** Returns the status with which the gateway itself would refuse a request; null: it would send the request to v1. */
  refusal(request: ExchangeRequest): number | null
  /**
   * Translates the body of a legacy success to v1's shape and back. Throws if the body does not fit the mapping. Undefined: the
   * mapping does not describe the body.
   */
  readonly roundTrip: ((legacy: Uint8Array) => Uint8Array) | undefined
}

/** A write that the legacy service has answered. */
export interface AnsweredWrite extends Pick<Asked, 'operation' | 'expectations' | 'input' | 'client' | 'at'> {
  readonly request: ExchangeRequest
  readonly answer: Reply
  /** How much processor time the check may take; ms. */
  readonly budgetMs: number
}

/** Why a write is skipped: it is never sent a second time. */
const SKIPPED = 'write'

/**
 * Checks a write without sending it: whether the gateway would have refused a request that legacy accepted, which members of the
 * request v1 would not have got, and whether legacy's answer survives the round trip to v1's shape and back (docs/decisions/0066).
 * The write is skipped unless a difference counts, and it is never a unit.
 */
export function checkWrite(write: AnsweredWrite, translation: WriteTranslation): Observation {
  const { operation, expectations, answer } = write
  if (answer.status === undefined || answer.status >= 400) return skipped(operation, SKIPPED)
  const control = readReply(answer, expectations)
  if (isFailure(control)) return unjudged(operation, controlFailed(control))
  try {
    return checked(write, withoutHeaders(control), translation, new Budget(write.budgetMs))
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
    return unjudged(operation, 'too costly')
  }
}

/** v1 was not asked, so there are no headers to compare with. */
const withoutHeaders = ({ headers: _, ...answer }: ReadAnswer): ReadAnswer => answer

function checked(
  { operation, expectations, answer, request, ...asked }: AnsweredWrite,
  control: ReadAnswer,
  translation: WriteTranslation,
  budget: Budget,
): Observation {
  const trip = translation.roundTrip && roundTripOf(control, translation.roundTrip, expectations, budget)
  const { differences, examples } = together(refusedWith(translation.refusal(request), control), trip)
  const notSent = expectations.notSentIn(request, budget)
  const known = {
    notSent,
    client: hashesOf(asked).client,
    writes: {
      isTaken: trip !== undefined,
      dropped: notSent.flatMap(({ part, legacy }) => (part === 'other' ? [] : [legacy])),
    },
    releases: { v1: undefined, legacy: answer.release },
  }
  const sent = expectations.sentBy(request)
  const counts = differences.map((difference) => whyIgnored(expectations, difference, sent) === null)
  const write = { ...skipped(operation, SKIPPED), ...known, differences, examples, counts, sent }
  if (!counts.includes(true)) return write
  return {
    ...write,
    ...{ outcome: 'mismatched', reason: null },
    stratum: stratumOf({ status: control.status, json: control.read.json }, expectations.response),
    ...hashesOf(asked),
    // The check proves nothing about v1.
    unit: undefined,
  }
}

function together(one: Comparison, other: Comparison | undefined): Comparison {
  return {
    differences: [...one.differences, ...(other?.differences ?? [])],
    examples: [...one.examples, ...(other?.examples ?? [])],
  }
}
