import type { Kind } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import { BOUNDS } from './add-counts.ts'
import type { DifferenceClass } from './operation-state.ts'
import type { Reasons } from './results-of.ts'

/** One kind of difference at one path, as in `report.json`. */
export interface DifferenceReport {
  readonly kind: Kind
  /** The path in the legacy body; `""` for a status. */
  readonly path: string
  /** Set if v1 was not asked: legacy's own answer did not survive the way to v1's shape and back. */
  readonly from?: 'round trip'
  /** The path in the v1 body that it comes from; null for a status, and where v1 has nothing. */
  readonly v1Path: string | null
  /** Exchanges that show it. */
  readonly requests: number
  /** Places in these exchanges. */
  readonly count: number
  /** Of the requests, those whose data had changed between the answers. */
  readonly drift: number
  /** The same, as reports of version 1 call it. */
  readonly noise: number
  /** Why it does not count: `loss: …`, `rule: …`, `wording` or `drift`; null: it counts. */
  readonly ignored: string | null
  /** For `status`, `failure`, `type` and `length`: how often each occurs. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
}

/** Reports each kind and path once, those that count first. Errors and successes may share one, never in one exchange. */
export function differencesOf(expectations: Expectations, reasons: Reasons): readonly DifferenceReport[] {
  const merged = new Map<string, DifferenceReport>()
  for (const [found, ignored] of reasons) {
    const key = `${found.from ?? ''} ${found.kind} ${found.path}`
    const other = merged.get(key)
    const drift = found.drift + (other?.drift ?? 0)
    merged.set(key, {
      kind: found.kind,
      path: found.path,
      ...(found.from !== undefined && { from: found.from }),
      v1Path: other?.v1Path ?? expectations.v1Path(found),
      requests: found.requests + (other?.requests ?? 0),
      count: found.count + (other?.count ?? 0),
      drift,
      noise: drift,
      ignored: other === undefined || ignored === null ? ignored : other.ignored,
      details: detailsOf(found, other),
      lines: [...found.lines, ...(other?.lines ?? [])].sort((a, b) => a - b).slice(0, BOUNDS.lines),
    })
  }
  const isIgnored = ({ ignored }: DifferenceReport): number => (ignored === null ? 0 : 1)
  return [...merged.values()].sort(
    (a, b) =>
      isIgnored(a) - isIgnored(b) ||
      b.requests - a.requests ||
      compareTexts(a.path, b.path) ||
      compareTexts(a.kind, b.kind),
  )
}

function detailsOf(
  { details }: DifferenceClass,
  other: DifferenceReport | undefined,
): Readonly<Record<string, number>> | null {
  const sum = new Map(Object.entries(other?.details ?? {}))
  for (const [detail, count] of details) sum.set(detail, (sum.get(detail) ?? 0) + count)
  return sum.size === 0 ? null : Object.fromEntries(sum)
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
