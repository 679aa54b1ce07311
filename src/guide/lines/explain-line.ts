import type { Basis } from '../../mapping/basis.ts'

/** One line of a mapping, for people: where a field is on both sides, what happens to it, and why. */
export interface ExplainedLine {
  readonly part: 'request' | 'header' | 'answer' | 'error'
  /**
   * From the root of the legacy body (`data[].priceTry`; the empty text is the root itself, or the query as a whole), a name
   * in the legacy query, a header, or a status; null: legacy does not have it, or no status of its own.
   */
  readonly legacy: string | null
  /** From the root of the v1 body (`items[].priceTry`), a parameter (`?isPaid`, `{id}`), a header, a status or an error code; null: v1 does not have it. */
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
    /** How v1's pages are asked for. */
    | 'paging'
    /** v1 removed some values of it. */
    | 'removed value'
    /** About a whole object: what its lines do not list is left out, or passes as it is. */
    | 'left out'
    | 'passed on'
  /** What happens to the value, where it is not copied. */
  readonly says: string | null
  readonly basis: 'documented' | 'assumed' | 'lost'
  readonly reason: string | null
}

type Because = Pick<ExplainedLine, 'basis' | 'reason'>

/** What the contract says, which needs no reason but may have one. */
export const documented = (reason: string | null = null): Because => ({ basis: 'documented', reason })

/** What we decided, and why. */
export const assumed = (reason: string): Because => ({ basis: 'assumed', reason })

/** The basis of a line of a mapping. */
export const because = (basis: Basis): Because => (basis.kind === 'assumed' ? assumed(basis.reason) : documented())
