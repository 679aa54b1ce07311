import type { V1Answer } from '../../../exchange/exchange.ts'
import type { NotSentName } from '../coverage/not-sent.ts'
import type { Difference } from '../diff/difference.ts'
import type { Pairs } from '../diff/pair-items.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { ReadAnswer } from '../reply.ts'
import { learn } from './learn.ts'
import { learnRequests } from './learn-requests.ts'
import type { Learned, LearnedDifference, Watched } from './learned.ts'

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

/** Returns what is learned of differences that no line can be found for: that they are there. */
export const onlyDifferences = (differences: readonly Difference[], limits: readonly string[] = []): Learned => ({
  paths: [],
  differences: differences.map(unexplained),
  ...{ requests: [], limits },
})

const unexplained = ({ kind, path }: Difference): LearnedDifference => ({ kind, path, v1Path: null, leaves: [] })

/** Leaves out differences of the second answers that do not count in the comparison of all four: they are drift. */
export function onlyThose(counting: readonly Difference[], learned: Learned): Learned {
  const keys = new Set(counting.map(({ kind, path }) => `${kind} ${path}`))
  return { ...learned, differences: learned.differences.filter(({ kind, path }) => keys.has(`${kind} ${path}`)) }
}

/** Learns from answers that were compared. Undefined: nothing differs, and nothing did before. */
export function learnFromAnswers(compared: ComparedAnswers): Learned | undefined {
  const { expectations, control, candidate, again, v1, pairs, notSent, watched } = compared
  const [was, is] = [control.read.json, candidate.read.json]
  const requests = learnRequests({ notSent, legacyStatus: control.status, v1, candidate: is })
  if (compared.differences.length + requests.length === 0 && watched === undefined) return undefined
  if (was === undefined || is === undefined || control.status >= 400 || candidate.status >= 400) {
    if (compared.differences.length + requests.length === 0) return undefined
    return { ...onlyDifferences(compared.differences), requests }
  }
  const differences = compared.differences.filter(({ part }) => part === 'answer')
  const others = compared.differences.filter(({ part }) => part !== 'answer')
  const learned = learn(
    {
      ...{ expectations, control: was, candidate: is, v1: v1.body, pairs, differences, requests, watched },
      again: again?.read.json,
    },
    LEARNING_MS,
  )
  return { ...learned, differences: [...learned.differences, ...others.map(unexplained)] }
}
