import type { FailureKind } from '../../upstream/upstream-error.ts'

/** Statuses of v1 that legacy answers too (DESIGN, section 2). */
const KEPT = new Set([401, 403, 404, 409, 429])

/** What a v1 answer other than a success means for legacy. */
export type Meaning = { readonly status: number } | { readonly failure: FailureKind }

/**
 * The table of statuses: the contract, Errors and General changes 2; where that is silent, DESIGN section 2. A status or
 * an error without a code that the contract does not know is not what it promises.
 */
export function meaningOf(v1Status: number, hasCode: boolean): Meaning {
  if (KEPT.has(v1Status)) return { status: v1Status }
  if (v1Status === 422) return { status: 400 }
  if (v1Status === 400 && hasCode) return { status: 406 }
  return { failure: v1Status >= 500 ? 'unavailable' : 'malformed' }
}
