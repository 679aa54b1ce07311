import type { AnswerLine, Corrections, OperationCorrections } from '../../../mapping/corrections/corrections.ts'
import { covers } from '../diff/path.ts'
import type { Proposal } from './proposed-lines.ts'

/**
 * Returns what to put into `MAPPING_FILE`: the certain proposals of an operation, with the lines that are in it already. A proposal
 * replaces the line of the same legacy path, and lines above and beneath it.
 * @param existing what the file says of the operation; undefined: nothing.
 */
export function fileOf(
  operation: string,
  proposals: readonly Pick<Proposal, 'legacy' | 'line' | 'certainty'>[],
  existing?: OperationCorrections,
): Corrections {
  const certain = proposals.filter(({ certainty }) => certainty === 'certain')
  const isReplaced = (path: string): boolean =>
    certain.some(({ legacy }) => covers(legacy, path) || covers(path, legacy))
  const lines: readonly (readonly [string, AnswerLine])[] = [
    ...Object.entries(existing?.response ?? {}).filter(([path]) => !isReplaced(path)),
    ...certain.map(({ legacy, line }) => [legacy, line] as const),
  ]
  if (lines.length === 0 && existing === undefined) return { operations: {} }
  const response = lines.length === 0 ? {} : { response: Object.fromEntries(lines) }
  const { response: _, ...others } = existing ?? {}
  return { operations: { [operation]: { ...others, ...response } } }
}
