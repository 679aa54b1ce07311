import type { Kind } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'
import { BOUNDS } from './add-counts.ts'
import { addClients, countClients } from './client-sketch.ts'
import { aloneOf, type Excusing, ruleFor } from './excusing.ts'
import { classKey, type DifferenceClass, type Pattern } from './operation-state.ts'
import { isoOf, outermost } from './period.ts'
import type { Reasons } from './results-of.ts'

/** One kind of difference at one path, as in `report.json`. */
export interface DifferenceReport {
  readonly kind: Kind
  /** The path in the legacy body; `""` for a status, and the name of a header in lower case. */
  readonly path: string
  /** Set if v1 was not asked: legacy's own answer did not survive the way to v1's shape and back. */
  readonly from?: 'round trip'
  /** The path in the v1 body that it comes from; null for a status or header, and where v1 has nothing. */
  readonly v1Path: string | null
  /** Exchanges that show it. */
  readonly requests: number
  /** Places in these exchanges. */
  readonly count: number
  /** Of the requests, those whose data had changed between the answers. */
  readonly drift: number
  /** The same, as reports of version 1 call it. */
  readonly noise: number
  /** Why it does not count: `loss: …`, `rule: …`, `wording`, `number form` or `drift`; null: it counts. */
  readonly ignored: string | null
  /** For `status`, `failure`, `header`, `type` and `length`: how often each occurs. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
  /** When it was first and last seen, ISO 8601; null: nobody knows. */
  readonly since: string | null
  readonly until: string | null
  /** How many clients see it. */
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** The mapping line that it falls under; null: no line covers it. */
  readonly mapping: Pick<MappingLine, 'legacy' | 'v1' | 'change' | 'reason'> | null
  /** What would excuse it; null: it does not count. */
  readonly excusing: Excusing | null
}

/**
 * Reports each kind and path once, those that count first; and once more for each reason by which some of its changes do not
 * count. Errors and successes may share one, never in one exchange.
 */
export function differencesOf(
  operation: string,
  expectations: Expectations,
  reasons: Reasons,
  patterns: readonly Pattern[],
): readonly DifferenceReport[] {
  const keys = new Map<DifferenceClass, string>()
  const keyOf = (found: DifferenceClass): string => keys.get(found) ?? ''
  const groups = new Map<string, DifferenceClass[]>()
  for (const [found, reason] of reasons) {
    const { part, kind, path, from, detail, excusedBy } = found
    // Whether it is ignored for what it is, and not for where it is.
    const isApart =
      excusedBy !== undefined || (detail !== undefined && expectations.ignored({ part, kind, path }) !== reason)
    const key = [`${kind} ${path}`, from ?? '', (isApart && reason) || ''].join('\t')
    keys.set(found, key)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [found])
    else group.push(found)
  }
  const repeats = repeatsOf(patterns, keyOf)
  const alone = aloneOf(patterns, reasons, keyOf)
  const reports = Array.from(groups, ([key, found]): DifferenceReport => {
    // Not in the order in which they came.
    const group = found.length === 1 ? found : found.toSorted((a, b) => compareTexts(classKey(a), classKey(b)))
    const first = group[0] as DifferenceClass
    const counting = group.filter((found) => reasons.get(found) === null)
    const { requests, drift, details, ...others } = summed(group)
    return {
      ...{ kind: first.kind, path: first.path, ...(first.from !== undefined && { from: first.from }) },
      v1Path: group.map(expectations.v1Path).find((path) => path !== null) ?? null,
      requests: requests - (repeats.get(key) ?? 0),
      ...{ count: others.count, drift, noise: drift },
      ignored: counting.length > 0 ? null : (reasons.get(first) ?? null),
      ...{ details, lines: others.lines, since: others.since, until: others.until, clients: others.clients },
      mapping: mappingOf(expectations.line(first)),
      excusing: counting.length === 0 ? null : { rules: rulesFor(operation, counting), requests: alone.get(key) ?? 0 },
    }
  })
  const isIgnored = ({ ignored }: DifferenceReport): number => (ignored === null ? 0 : 1)
  return reports.sort(
    (a, b) =>
      isIgnored(a) - isIgnored(b) ||
      b.requests - a.requests ||
      compareTexts(a.path, b.path) ||
      compareTexts(a.kind, b.kind),
  )
}

/** One rule is enough for what differs alike in answers and in errors. */
const rulesFor = (operation: string, counting: readonly DifferenceClass[]): Excusing['rules'] => [
  ...new Map(counting.map((found) => [found.detail, ruleFor(operation, found)])).values(),
]

/** Adds up what differs at one place. */
function summed(group: readonly DifferenceClass[]) {
  const sumOf = (of: (found: DifferenceClass) => number): number => group.reduce((sum, found) => sum + of(found), 0)
  const details = new Map<string, number>()
  for (const found of group) {
    for (const [detail, count] of found.details) details.set(detail, (details.get(detail) ?? 0) + count)
  }
  return {
    requests: sumOf(({ requests }) => requests),
    count: sumOf(({ count }) => count),
    drift: sumOf(({ drift }) => drift),
    details: details.size === 0 ? null : Object.fromEntries(details),
    lines: [...new Set(group.flatMap(({ lines }) => lines))].sort((a, b) => a - b).slice(0, BOUNDS.lines),
    since: isoOf(group.map(({ since }) => since).reduce((a, b) => outermost(Math.min, a, b))),
    until: isoOf(group.map(({ until }) => until).reduce((a, b) => outermost(Math.max, a, b))),
    clients: countClients(group.reduce<readonly number[]>((all, { clients }) => addClients(all, clients), [])),
  }
}

const mappingOf = (line: MappingLine | null): DifferenceReport['mapping'] =>
  line && { legacy: line.legacy, v1: line.v1, change: line.change, reason: line.reason }

/** Returns how often exchanges show one key once more: they show several changes at one place. */
function repeatsOf(
  patterns: readonly Pattern[],
  keyOf: (found: DifferenceClass) => string,
): ReadonlyMap<string, number> {
  const repeats = new Map<string, number>()
  for (const { classes, requests } of patterns) {
    const seen = new Set<string>()
    for (const key of classes.map(keyOf)) {
      if (seen.has(key)) repeats.set(key, (repeats.get(key) ?? 0) + requests)
      seen.add(key)
    }
  }
  return repeats
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
