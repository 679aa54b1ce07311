import { isDeepStrictEqual } from 'node:util'
import { supportInWords, trialInWords } from '../../src/control-plane/evidence/proposals/proposal-words.ts'
import type { OperationProposals, ProposalsReport } from '../../src/control-plane/evidence/proposals/proposals.ts'
import type { Proposal } from '../../src/control-plane/evidence/proposals/proposed-lines.ts'
import { lineInWords } from '../../src/mapping/corrections/line-in-words.ts'
import { undocumented } from './undocumented.ts'

/** How many comparisons each trial must have made before its lines are taken over. */
const LEAST_TRIED = 5

/** Reads `GET /proposals`. */
export async function readProposals(adminUrl: string): Promise<readonly OperationProposals[]> {
  const answer = await fetch(`${adminUrl}/proposals`)
  return ((await answer.json()) as ProposalsReport).operations
}

/** Whether each deviation has its line, and the line is certain. */
export const areCertain = (found: readonly OperationProposals[]): boolean =>
  linesOf(found).every((proposal) => proposal?.certainty === 'certain')

/** Whether the lines were tried often enough. */
export const areTried = (found: readonly OperationProposals[]): boolean =>
  areCertain(found) &&
  deviating(found).every(({ trial }) => trial !== null && trial.matched + trial.mismatched >= LEAST_TRIED)

/** Whether no trial has found anything that still differs, or differs anew. */
export const isTrialClean = (found: readonly OperationProposals[]): boolean =>
  deviating(found).every(({ trial }) => trial?.mismatched === 0 && trial.caused.length === 0)

/** Says what is proposed for the deviations, a line and its evidence each. */
export function proposalsInWords(found: readonly OperationProposals[]): string {
  const lines = linesOf(found).flatMap((proposal, at) =>
    proposal === undefined
      ? []
      : [
          `  ${undocumented[at]?.operation} ${proposal.legacy}: ${lineInWords(proposal.line, 'response')}`,
          `    ${proposal.certainty}: ${supportInWords(proposal)}`,
        ],
  )
  return lines.join('\n')
}

/** Says how the proposed lines fared in comparisons that they were not made from. */
export const trialsInWords = (found: readonly OperationProposals[]): string =>
  deviating(found)
    .flatMap(({ operation, trial }) => (trial === null ? [] : [`  ${operation}: ${trialInWords(trial)}`]))
    .join('\n')

const deviating = (found: readonly OperationProposals[]): readonly OperationProposals[] =>
  found.filter(({ operation }) => undocumented.some((each) => each.operation === operation))

const linesOf = (found: readonly OperationProposals[]): readonly (Proposal | undefined)[] =>
  undocumented.map(({ operation, legacy, line }) =>
    found
      .find((each) => each.operation === operation)
      ?.proposals.find((proposal) => proposal.legacy === legacy && isDeepStrictEqual(proposal.line, line)),
  )
