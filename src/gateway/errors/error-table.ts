import { KEPT_STATUSES } from '../../engine/kept-statuses.ts'
import type { FailureKind } from '../../upstream/upstream-error.ts'

const KEPT = new Set(KEPT_STATUSES)

/** What a v1 answer other than a success means for legacy. */
export type Meaning = { readonly status: number } | { readonly failure: FailureKind }

/**
 * The table of statuses: docs/contract.md 8.2 and 9.3; where that is silent, docs/decisions/0011. A business rule has a code: a
 * 400 without one says that the request is wrong, as legacy's 400 does. Any other status is not what the contract promises.
 */
export function meaningOf(v1Status: number, hasCode: boolean): Meaning {
  if (KEPT.has(v1Status)) return { status: v1Status }
  if (v1Status === 422) return { status: 400 }
  if (v1Status === 400) return { status: hasCode ? 406 : 400 }
  return { failure: v1Status >= 500 ? 'unavailable' : 'malformed' }
}
