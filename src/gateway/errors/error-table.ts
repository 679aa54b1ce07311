import { KEPT_STATUSES } from '../../engine/read-v1-error.ts'
import type { FailureKind } from '../../upstream/upstream-error.ts'

const KEPT = new Set(KEPT_STATUSES)

/** What an error of v1 means for legacy: a status, or a failure. */
export type Meaning = { readonly status: number } | { readonly failure: FailureKind }

/**
 * Returns what an error status of v1 means: docs/contract.md 8.2 and 9.3; where that is silent, docs/decisions/0011. A
 * broken business rule has a code. A 400 without one says that the request is wrong, like legacy's 400. The contract
 * promises no other status: any other is a failure.
 */
export function meaningOf(v1Status: number, hasCode: boolean): Meaning {
  if (KEPT.has(v1Status)) return { status: v1Status }
  if (v1Status === 422) return { status: 400 }
  if (v1Status === 400) return { status: hasCode ? 406 : 400 }
  return { failure: v1Status >= 500 ? 'unavailable' : 'malformed' }
}
