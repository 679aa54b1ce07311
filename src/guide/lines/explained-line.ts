import { type LineBasis, whyInWords } from '../../common/line-basis.ts'
import type { Basis, CorrectedBasis } from '../../mapping/shape.ts'

/** One mapping line, for people: where a field is on both sides, what changes, and why. */
export interface ExplainedLine extends LineBasis {
  readonly part: 'request' | 'header' | 'answer' | 'error'
  /**
   * A path from the root of the legacy body (`data[].priceTry`; empty for the root itself or the whole query), a name
   * in the legacy query, a header, or a status. Null if legacy does not have it, or the error has no legacy status of
   * its own.
   */
  readonly legacy: string | null
  /**
   * A path from the root of the v1 body (`items[].priceTry`), a parameter (`?isPaid`, `{id}`), a header, a status or an
   * error code. Null if v1 does not have it.
   */
  readonly v1: string | null
  readonly change:
    | 'same'
    | 'renamed'
    | 'converted'
    | 'lost'
    | 'filled in'
    | 'added in v1'
    | 'status'
    /** The root of one side is a member of the other. */
    | 'envelope'
    /** How v1's pages are requested. */
    | 'paging'
    /** v1 removed some of its values. */
    | 'removed value'
    /** About a whole object: members that its lines do not list are left out, or passed on unchanged. */
    | 'left out'
    | 'passed on'
  /** What happens to the value, if it is not copied. */
  readonly says: string | null
  /** The shape that states it; unset: the mapping's own file does, or the line holds for all operations. */
  readonly shape?: string
}

export type Because = LineBasis

/** The contract says so. A reason is optional. */
export const documented = (reason: string | null = null): Because => ({ basis: 'documented', reason })

/** We decided so, for this reason. */
export const assumed = (reason: string): Because => ({ basis: 'assumed', reason })

/** Returns the basis and reason of a mapping line. */
export function because(basis: Basis): Because {
  if (basis.kind === 'corrected') return corrected(basis)
  return basis.kind === 'assumed' ? assumed(basis.reason) : documented()
}

/** MAPPING_FILE says so. @param reason in place of the file's. */
export const corrected = ({ why, by, replaces }: CorrectedBasis, reason = why): Because => ({
  basis: 'corrected',
  reason: reason ?? null,
  by: by ?? null,
  replaces: replaces ?? null,
})

/** Makes a line, without a text if the value is copied. */
export const explainedLine = (
  part: ExplainedLine['part'],
  [legacy, v1]: readonly [legacy: string | null, v1: string | null],
  change: ExplainedLine['change'],
  says: string | null,
  because: Because,
): ExplainedLine => ({ part, legacy, v1, change, says, ...because })

/** Says what changes. */
export const changeInWords = ({ change, says }: { readonly change: string; readonly says: string | null }): string =>
  says === null ? change : `${change}: ${says}`

/** Says what a line is based on, and why. */
export function basisInWords(because: Because): string {
  const why = whyInWords(because)
  return why === null ? because.basis : `${because.basis}: ${why}`
}

/** Writes a mapping line in sentences, for the description of its legacy member. */
export function sayLine({ legacy, v1, change, says, ...because }: ExplainedLine): string {
  const where =
    v1 === null || legacy === ''
      ? []
      : legacy === null
        ? [`Not answered, because legacy has no such member: ${v1}`]
        : [v1 === legacy ? 'The same in v1' : `In v1: ${v1}`]
  const what = says === null ? [] : [change === 'filled in' ? `${change}: ${says}` : says]
  return [...where, ...what, basisInWords(because)].map((part) => `${sentence(part)}.`).join(' ')
}

/** Capitalizes the first letter, unless the text begins with v1. */
const sentence = (text: string): string => (text.startsWith('v1') ? text : text.charAt(0).toUpperCase() + text.slice(1))
