import { counted, count as grouped } from '../../../common/figures.ts'
import type { AnswerLine } from '../../../mapping/corrections/corrections.ts'
import { type CandidateLine, candidateLines } from './candidate-lines.ts'
import type { PathEvidence } from './path-evidence.ts'

/**
 * How sure a proposal is. `certain`: one line is left, with enough support. `ambiguous`: several are left. `weak`: there is not enough
 * support yet.
 */
export type Certainty = 'certain' | 'ambiguous' | 'weak'

/** What a proposal was made from. `distinct` is the number of different values. */
export interface Support {
  readonly exchanges: number
  readonly places: number
  readonly distinct: number
  readonly inputs: number
}

/** Another line that agrees in all places as well. */
export interface Alternative {
  readonly line: AnswerLine
  /** What would tell it from the proposed line. */
  readonly tells: string
}

/** The verdict on a legacy path: a line, or why there is none. */
export type Verdict =
  | {
      readonly line: AnswerLine
      readonly certainty: Certainty
      readonly reads: readonly string[]
      readonly support: Support
      readonly alternatives: readonly Alternative[]
      /** The v1 paths that some line still in question reads. */
      readonly mayRead: readonly string[]
    }
  | { readonly says: string; readonly mayRead: readonly string[] }

const LEAST = { places: 20, exchanges: 5, inputs: 2, distinct: 3, names: 2, timesEach: 5, placesOfOthers: 5 } as const
/** The most alternatives that are shown. */
const MOST_ALTERNATIVES = 8

/** @param isShared whether several clients are known. @param isAligned whether other lines show that the container's items belong together. */
export function judgePath(path: PathEvidence, isShared: boolean, isAligned: boolean): Verdict {
  const support = {
    ...{ exchanges: path.exchanges, places: path.places, distinct: path.distinct, inputs: path.inputs },
  }
  const isEnough = hasSupport(support, path, isShared)
  const candidates = candidateLines(path)
  const [best] = candidates
  if (best === undefined) return unexplained(path, support, isEnough, isAligned)
  const left = candidates.filter(({ rank }, index) => rank === best.rank && index < 100)
  const others = [...left.slice(1), ...candidates.filter(({ line }) => 'always' in line && line !== best.line)]
  const mayRead = left.flatMap(({ reads }) => reads)
  const alternatives = [
    ...others.map(({ line, reads }) => ({ line, tells: tells(best, line, reads) })),
    // A constant may as well be a loss.
    ...('always' in best.line ? [{ line: LOST, tells: 'whoever knows v1' }] : []),
  ].slice(0, MOST_ALTERNATIVES)
  const isSure = isEnough && !best.isThin && !path.isCut && isDiverse(best, path)
  const certainty = alternatives.length > 0 ? (isEnough ? 'ambiguous' : 'weak') : isSure ? 'certain' : 'weak'
  return { line: best.line, certainty, reads: best.reads, support, alternatives, mayRead }
}

export const LOST: AnswerLine = { lost: 'v1 does not have it' }

/** Whether there are enough places, exchanges and inputs, and where several clients are known, several clients behind them. */
export function hasSupport(support: Omit<Support, 'distinct'>, path: PathEvidence, isShared: boolean): boolean {
  const { count, placesOfOthers } = path.clients
  return (
    support.places >= LEAST.places &&
    support.exchanges >= LEAST.exchanges &&
    support.inputs >= LEAST.inputs &&
    (!isShared || (count >= 2 && placesOfOthers >= LEAST.placesOfOthers))
  )
}

/** Whether there are enough different values: three, or two that are names or booleans, each seen often. */
function isDiverse({ names, line, reads: [read = ''] }: CandidateLine, path: PathEvidence): boolean {
  const { distinct, types } = path
  const areSeen = distinct >= LEAST.names && path.rarest >= LEAST.timesEach
  // Where each item has a value of its own, the values are ids.
  const areShared = (count: number): boolean => path.items >= 2 * count
  if (names > 0) return areSeen && areShared(names)
  if (distinct >= LEAST.distinct) return true
  const isBoolean = (types.has('boolean') && types.size === 1) || ('as' in line && line.as === '0/1')
  const table = path.enums?.get(read)
  return areSeen && (isBoolean || (table !== undefined && areShared(table.size)))
}

function unexplained(path: PathEvidence, support: Support, isEnough: boolean, isAligned: boolean): Verdict {
  const best = [...path.sources.values()]
    .map((sum) => ({ v1: sum.v1, most: sum.most() }))
    .reduce((before, each) => (each.most > before.most ? each : before), { v1: '', most: 0 })
  const isMostly = path.places > 0 && 2 * best.most > path.places
  const mayRead = isMostly ? [best.v1] : []
  if (isMostly) {
    const exceptions = path.exceptions
      .slice(0, 2)
      .map(({ legacy, v1, times }) => `${hex(legacy)} against ${hex(v1)} in ${grouped(times)}`)
    if (best.most === path.places) {
      const says = `agrees with ${best.v1} in ${counted(path.places, 'place')}; where legacy has no value, v1 has one`
      return { says, mayRead }
    }
    const but = exceptions.length === 0 ? '' : `; commonest exceptions, as hashes: ${exceptions.join(', ')}`
    return {
      says: `agrees with ${best.v1} in ${grouped(best.most)} of ${counted(path.places, 'place')}${but}`,
      mayRead,
    }
  }
  if (path.places === 0) return { says: 'legacy never has a value here, so no line can be found', mayRead }
  if (path.candidateHas > 0) return { says: 'no value of v1 explains it', mayRead }
  if (2 * path.elsewhere > path.exchanges) {
    return { says: `${path.elsewhereAt} has the same values, but in other rows`, mayRead: [path.elsewhereAt] }
  }
  if (2 * path.aligned < path.places && !isAligned) {
    return { says: 'nothing shows that the rows of both sides belong together', mayRead }
  }
  const isSure = isEnough && !path.isCut && isDiverse({ line: LOST, reads: [], rank: 0, isThin: false, names: 0 }, path)
  return { line: LOST, certainty: isSure ? 'certain' : 'weak', reads: [], support, alternatives: [], mayRead }
}

const hex = (hash: number): string => hash.toString(16).padStart(12, '0').slice(0, 8)

function tells(best: CandidateLine, line: AnswerLine, reads: readonly string[]): string {
  const [one] = best.reads
  const [other] = reads
  if ('always' in line || one === undefined) return 'an exchange in which legacy has another value'
  if (other === undefined || one === other) return 'an exchange in which the two give different values'
  return `an exchange in which ${one} and ${other} differ`
}
