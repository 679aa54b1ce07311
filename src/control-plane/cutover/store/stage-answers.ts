import { Histogram } from '../../../common/histogram.ts'
import { addDocuments, type Delta, documentsAfter, type Kind, once } from '../../store/ledger.ts'
import type { Work } from '../../store/sql.ts'
import { addPairs, callsIn } from '../brake/pairs.ts'
import type { Answered, Pairs, SideAnswers } from '../position.ts'
import { isCounted, readStages, type Stages } from './stored-decisions.ts'

/** What all processes answered, by operation and stage. */
export const ANSWERS: Kind<BothSides> = {
  name: 'answers',
  add: (one, other) => addAnswered([one, other]),
  parse(json) {
    const { v1, legacy, pairs } = json as BothSides
    if (isSide(v1) && isSide(legacy) && (pairs === undefined || arePairs(pairs))) return { v1, legacy, pairs }
    throw new Error('it is not what both sides answered')
  },
}

/** Checked by hand, because some are read every second. */
const isSide = ({ calls, failures, times }: SideAnswers): boolean =>
  isCount(calls) && isCount(failures) && areTimes(times)
const arePairs = ({ v1, legacy, slower }: Pairs): boolean => areTimes(v1) && areTimes(legacy) && isCount(slower)
const areTimes = (times: SideAnswers['times']): boolean =>
  times.every(([bucket, often]) => Number.isInteger(bucket) && isCount(often))
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

type OfStage = Pick<Answered, 'operation' | 'stage'>

export const answersKey = ({ operation, stage }: OfStage): string => `${operation} ${stage}`

export const answersDelta = ({ v1, legacy, pairs, ...of }: Answered): Delta<BothSides> => ({
  ...{ key: answersKey(of), part: of.operation, doc: { v1, legacy, pairs } },
})

/** What a process answered since its previous portion. */
export interface AnswersPortion {
  /** Identifies the process among all that store; new at each start. */
  readonly process: string
  readonly number: number
  readonly answered: readonly Answered[]
}

/** Adds what a process answered, as far as its stages count. Returns the keys of these. */
export function* addAnswers({ process, number, answered }: AnswersPortion, now: Date): Work<readonly string[]> {
  const added = yield* once({ process, kind: ANSWERS.name, number }, now, function* () {
    const stages = yield* readStages()
    const counted = answered.filter(({ operation, stage }) => isCounted(stage, stages.get(operation)))
    yield* addDocuments(ANSWERS, counted.map(answersDelta), now)
    return counted.map(answersKey)
  })
  return added ?? []
}

/** Returns what all processes answered, for the stages that count. */
export function* readAnswers(stages: readonly Stages[]): Work<readonly Answered[]> {
  const known = new Map(stages.map((one) => [one.operation, one]))
  const all = yield* documentsAfter(ANSWERS, 0)
  return all
    .map(({ key, part, doc }) => ({ operation: part, stage: Number(key.slice(part.length + 1)), ...doc }))
    .filter(({ operation, stage }) => isCounted(stage, known.get(operation)))
}

/** What both sides answered. */
export type BothSides = Pick<Answered, 'v1' | 'legacy' | 'pairs'>

export const NOTHING: BothSides = {
  v1: { calls: 0, failures: 0, times: [] },
  legacy: { calls: 0, failures: 0, times: [] },
}

/** Adds up what several processes answered. */
export function addAnswered(all: readonly BothSides[]): BothSides {
  const sides = { v1: addSides(all.map(({ v1 }) => v1)), legacy: addSides(all.map(({ legacy }) => legacy)) }
  return { ...sides, pairs: addPairs(all.map(({ pairs }) => pairs)) }
}

function addSides(all: readonly SideAnswers[]): SideAnswers {
  const times = new Histogram()
  for (const side of all) times.addAll(side.times)
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    times: times.counts(),
  }
}

/** Returns what was answered since `before`, which is part of `all`. After a restore it may not be; still, no count falls below zero. */
export const answeredSince = (all: BothSides, before: BothSides): BothSides => ({
  v1: sideSince(all.v1, before.v1),
  legacy: sideSince(all.legacy, before.legacy),
  pairs: all.pairs && pairsSince(all.pairs, before.pairs),
})

/** How many pairs there are. */
export const pairsIn = ({ pairs }: Pick<BothSides, 'pairs'>): number => (pairs === undefined ? 0 : callsIn(pairs.v1))

const pairsSince = (all: Pairs, before: Pairs = { v1: [], legacy: [], slower: 0 }): Pairs => ({
  ...{ v1: timesSince(all.v1, before.v1), legacy: timesSince(all.legacy, before.legacy) },
  slower: Math.max(all.slower - before.slower, 0),
})

const sideSince = (all: SideAnswers, before: SideAnswers): SideAnswers => ({
  calls: Math.max(all.calls - before.calls, 0),
  failures: Math.max(all.failures - before.failures, 0),
  times: timesSince(all.times, before.times),
})

function timesSince(all: SideAnswers['times'], before: SideAnswers['times']): SideAnswers['times'] {
  const earlier = new Map(before)
  return all
    .map(([bucket, times]) => [bucket, times - (earlier.get(bucket) ?? 0)] as const)
    .filter(([, times]) => times > 0)
}
