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
  const certain = Object.fromEntries(
    proposals.filter(({ certainty }) => certainty === 'certain').map(({ legacy, line }) => [legacy, line]),
  )
  const added = Object.entries(keeps).filter(([path]) => !Object.hasOwn(existing?.response ?? {}, path))
  const merged = withLines(existing, { ...certain, ...Object.fromEntries(added) })
  return { operations: merged === undefined ? {} : { [operation]: merged } }
}

/** Adds lines of the answer to corrections. Each replaces the line of the same path, and lines above and beneath it. */
export function withLines(
  existing: OperationCorrections | undefined,
  lines: Readonly<Record<string, AnswerLine>>,
): OperationCorrections | undefined {
  const paths = Object.keys(lines)
  if (paths.length === 0) return existing
  const isReplaced = (path: string): boolean => paths.some((added) => covers(added, path) || covers(path, added))
  const left = Object.entries(existing?.response ?? {}).filter(([path]) => !isReplaced(path))
  return { ...existing, response: { ...Object.fromEntries(left), ...lines } }
}
