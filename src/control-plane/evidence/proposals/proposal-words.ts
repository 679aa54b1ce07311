import { count, counted } from '../../../common/figures.ts'
import type { OperationProposals, ProposalsReport } from './proposals.ts'
import type { Proposal } from './proposed-lines.ts'
import type { Trial } from './trial.ts'

/**
 * Says what a line agreed with: `equal in 9,720 places of 120 exchanges, 81 different values, 14 inputs`; of a member that is dropped
 * or lost, on which side alone it is.
 */
export function supportInWords({ line, support: { places, exchanges, distinct, inputs } }: Proposal): string {
  const where = `in ${counted(places, 'place')} of ${counted(exchanges, 'exchange')}`
  if ('drop' in line) return `only v1 has it, ${where}, ${counted(inputs, 'input')}`
  const says = 'lost' in line ? 'nothing of v1 explains it,' : 'equal'
  return `${says} ${where}, ${counted(distinct, 'different value')}, ${counted(inputs, 'input')}`
}

/** Says since when the certain lines are in trial, and how they fared in later comparisons. */
export const trialInWords = (trial: Trial): string =>
  `In trial since ${trial.since.slice(0, 16).replace('T', ' ')} UTC: ${trialResults(trial)}`

/** Says how the certain lines fared in later comparisons: `of 240 exchanges, 238 match and 2 still differ; …`. */
export function trialResults({ matched, mismatched, settled, caused }: Trial): string {
  const asked = matched + mismatched
  const differ = mismatched === 0 ? 'none differs' : `${count(mismatched)} still differ`
  const isNew = caused.length === 0 ? 'no new difference' : `${counted(caused.length, 'new difference')}`
  return `of ${counted(asked, 'exchange')}, ${count(matched)} match and ${differ}; ${counted(settled.length, 'difference')} settled, ${isNew}`
}

/** Says how many of the proposed lines are certain: `2 of them certain`. */
export const certainInWords = (lines: number, certain: number): string =>
  lines === 1 ? (certain === 1 ? 'and it is certain' : 'and it is not certain') : `${count(certain)} of them certain`

/** Says how many lines are proposed: `3 lines of its mapping are proposed, 2 of them certain`; empty: none is. */
export function proposedInWords(found: OperationProposals | undefined): readonly string[] {
  if (found === undefined || found.proposals.length === 0) return []
  const are = counted(found.proposals.length, 'line of its mapping is', 'lines of its mapping are')
  return [`${are} proposed, ${certainInWords(found.proposals.length, certainOf(found).length)}`]
}

export const certainOf = ({ proposals }: Pick<OperationProposals, 'proposals'>): readonly Proposal[] =>
  proposals.filter(({ certainty }) => certainty === 'certain')

/** Returns the differences of an operation that no certain line settles. */
export const unsettledOf = (operation: OperationProposals): readonly string[] => [
  ...new Set([
    ...operation.unexplained.map(({ path }) => path),
    ...operation.proposals.filter(({ certainty }) => certainty !== 'certain').map(({ legacy }) => legacy),
  ]),
]

/** Whether each difference that counts has a certain line. */
export const areAllCertain = ({ operations }: ProposalsReport): boolean =>
  operations.every((operation) => unsettledOf(operation).length === 0)
