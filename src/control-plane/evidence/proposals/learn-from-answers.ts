import type { V1Answer } from '../../../exchange/exchange.ts'
import type { NotSentName } from '../coverage/not-sent.ts'
import type { Difference } from '../diff/difference.ts'
import type { Pairs } from '../diff/pair-items.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { ReadAnswer } from '../reply.ts'
import { learn } from './learn.ts'
import { learnRequests } from './learn-requests.ts'
import type { Learned, Watched } from './learned.ts'

/** What learning from an exchange needs. */
export interface Learning {
  /** What differed before; undefined: nothing. */
  readonly watched: Watched | undefined
}

interface ComparedAnswers extends Learning {
  readonly expectations: Expectations
  readonly control: ReadAnswer
  readonly candidate: ReadAnswer
  /** Legacy's second answer; undefined: it was not asked again. */
  readonly again: ReadAnswer | undefined
  readonly v1: V1Answer
  readonly pairs: Pairs
  /** Those that count. */
  readonly differences: readonly Difference[]
  readonly notSent: readonly NotSentName[]
}

/** The processor time that learning from one exchange may take; ms. */
const LEARNING_MS = 20

/** Learns from answers that were compared. Undefined: nothing differs, and nothing did before. */
export function learnFromAnswers(compared: ComparedAnswers): Learned | undefined {
  const { expectations, control, candidate, again, v1, pairs, notSent, watched } = compared
  const [was, is] = [control.read.json, candidate.read.json]
  const requests = learnRequests({ notSent, legacyStatus: control.status, v1, candidate: is })
  const differences = compared.differences.filter(({ part }) => part === 'answer')
  if (differences.length + requests.length === 0 && watched === undefined) return undefined
  if (was === undefined || is === undefined || control.status >= 400 || candidate.status >= 400) {
    return requests.length === 0 ? undefined : { paths: [], differences: [], requests, limits: [] }
  }
  return learn(
    {
      ...{ expectations, control: was, candidate: is, v1: v1.body, pairs, differences, requests, watched },
      again: again?.read.json,
    },
    LEARNING_MS,
  )
}
