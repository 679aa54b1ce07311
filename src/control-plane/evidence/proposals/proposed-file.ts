import type { AnswerLine, Corrections, OperationCorrections } from '../../../mapping/corrections/corrections.ts'
import { covers } from '../diff/path.ts'
import type { Proposal } from './proposed-lines.ts'

/**
 * Returns what to put into `MAPPING_FILE`: the certain proposals of an operation, with the lines that are in it already. A proposal
 * replaces the line of the same legacy path, and lines above and beneath it.
 * @param keeps lines that the proposals need beside them; see `ProposedLines.keeps`.
 * @param existing what the file says of the operation; undefined: nothing.
 */
export function fileOf(
  operation: string,
  proposals: readonly Pick<Proposal, 'legacy' | 'line' | 'certainty'>[],
  keeps: Readonly<Record<string, AnswerLine>> = {},
  existing?: OperationCorrections,
): Corrections {
  const certain = proposals.filter(({ certainty }) => certainty === 'certain')
  const isReplaced = (path: string): boolean =>
    certain.some(({ legacy }) => covers(legacy, path) || covers(path, legacy))
  const isListed = (path: string): boolean => Object.hasOwn(existing?.response ?? {}, path)
  const lines: readonly (readonly [string, AnswerLine])[] = [
    ...Object.entries(existing?.response ?? {}).filter(([path]) => !isReplaced(path)),
    ...certain.map(({ legacy, line }) => [legacy, line] as const),
    ...Object.entries(keeps).filter(([path]) => !isListed(path)),
  ]
  if (lines.length === 0 && existing === undefined) return { operations: {} }
  const response = lines.length === 0 ? {} : { response: Object.fromEntries(lines) }
  const { response: _, ...others } = existing ?? {}
  return { operations: { [operation]: { ...others, ...response } } }
}
