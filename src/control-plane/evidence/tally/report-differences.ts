import type { Place } from '../../../recordings/merge-recordings.ts'
import type { Kind } from '../diff/difference.ts'
import type { Expectations } from '../expected/expectations.ts'
import type { MappingLine } from '../expected/mapping-lines.ts'
import { NamedSums, OTHER } from './bounds.ts'
import { type ShownBy, shownByOf } from './circumstances.ts'
import { addTo, type DifferenceClass, type Reasons } from './difference-classes.ts'
import { aloneOf, type Excusing, type Offer, offerFor } from './excusing.ts'
import type { OperationCounts } from './operation-counts.ts'
import type { Pattern } from './patterns.ts'
import { shownPeriod } from './period.ts'
import { countClients } from './sketch.ts'

/** One kind of difference at one path, as in `report.json`. */
export interface DifferenceReport {
  readonly kind: Kind
  /** The path in the legacy body; `""` for a status, and the name of a header in lower case. */
  readonly path: string
  /** Set if v1 was not asked: legacy's own answer did not survive the round trip to v1's shape and back. */
  readonly from?: 'round trip'
  /** The path in the v1 body that it comes from; null for a status or header, and if v1 has no such member. */
  readonly v1Path: string | null
  /** The number of exchanges that show it. */
  readonly requests: number
  /** The number of places in these exchanges. */
  readonly count: number
  /** How many of the requests had data that changed between the answers; null: unknown, because no side was asked twice. */
  readonly drift: number | null
  /** The same as `drift`, under its name in reports of version 1. */
  readonly noise: number | null
  /** Why it does not count: `loss: …`, `widening: …`, `rule: …`, `wording`, `number form` or `drift`; null: it counts. */
  readonly ignored: string | null
  /** For `status`, `failure`, `header`, `type` and `length`: how often each occurs. */
  readonly details: Readonly<Record<string, number>> | null
  /** The first 20 line numbers, in order. */
  readonly lines: readonly number[]
  /** The same lines with their files. Unset: there is only one file. */
  readonly places?: readonly Place[] | undefined
  /** When it was first and last seen, ISO 8601; null: unknown. */
  readonly since: string | null
  readonly until: string | null
  /** How many clients see it. */
  readonly clients: { readonly distinct: number; readonly estimated: boolean }
  /** Who shows it, and what their requests have in common, change by change. Empty: unknown. */
  readonly shownBy: readonly ShownBy[]
  /** The mapping line that it falls under; null: no line covers it. */
  readonly mapping: Pick<MappingLine, 'legacy' | 'v1' | 'change' | 'reason'> | null
  /** The rules that would excuse it as it was seen, and nothing else; null: it does not count. */
  readonly excusing: Excusing | null
}

/** What differences are reported from. */
interface Judged {
  readonly reasons: Reasons
  readonly patterns: readonly Pattern[]
  /** The members of the request that any compared call sent. */
  readonly everSent: readonly string[]
  /** The clients of all compared calls, in order; undefined: not all of them are known. */
  readonly clients: readonly number[] | undefined
  readonly circumstances: OperationCounts['circumstances']
}

/**
 * Reports each kind and path once, those that count first, and once more for each reason that keeps some of its changes from
 * counting. Errors and successes may share a kind and path, but never in one exchange.
 * @param now the reader's time, in ms since the epoch.
 */
export function differencesOf(
  operation: string,
  expectations: Expectations,
  { reasons, patterns, everSent, clients: allClients, circumstances }: Judged,
  now: number,
): readonly DifferenceReport[] {
  const keys = new Map<DifferenceClass, string>()
  const keyOf = (found: DifferenceClass): string => keys.get(found) ?? ''
  for (const [found, reason] of reasons) {
    const { part, kind, path, from, detail, sent, widenedBy, excusedBy } = found
    // Whether its own change, or only calls that send such requests, are ignored, rather than its place.
    const isApart =
      excusedBy !== undefined ||
      ((detail ?? sent ?? widenedBy) !== undefined && expectations.ignored({ part, kind, path }) !== reason)
    keys.set(found, [`${kind} ${path}`, from ?? '', (isApart && reason) || ''].join('\t'))
  }
  const groups = Map.groupBy(keys.keys(), keyOf)
  const isOneOfSeveral = (found: DifferenceClass): boolean => (groups.get(keyOf(found))?.length ?? 0) > 1
  const repeats = repeatsOf(patterns, keyOf, isOneOfSeveral)
  const countingIn = (group: readonly DifferenceClass[]) => group.filter((found) => reasons.get(found) === null)
  const offers = new Map<string, Offer>()
  for (const [key, group] of groups) offers.set(key, offerFor(operation, countingIn(group), everSent))
  const excused = new Set([...offers.values()].flatMap(({ excused }) => excused))
  const alone = aloneOf(patterns, reasons, (found) => (excused.has(found) ? keyOf(found) : undefined))
  const reports = Array.from(groups, ([key, group]): DifferenceReport => {
    const first = group[0] as DifferenceClass
    const counting = countingIn(group)
    const { rules, without } = offers.get(key) as Offer
    const { requests, count, drift, lines, since, until, clients } = summed(group)
    const details = detailsOf(group)
    const place = { kind: first.kind, path: first.path, ...(first.from !== undefined && { from: first.from }) }
    const texts = details.isEmpty ? null : details.record()
    return {
      ...place,
      v1Path: group.map(expectations.v1Path).find((path) => path !== null) ?? null,
      requests: requests - (repeats.get(key) ?? 0),
      ...{ count, drift, noise: drift },
      ignored: counting.length > 0 ? null : (reasons.get(first) ?? null),
      details: texts,
      ...{ lines, ...shownPeriod({ since, until }, now), clients: countClients(clients, allClients) },
      mapping: mappingOf(expectations.line(first)),
      excusing:
        counting.length === 0 ? null : { rules, requests: alone.get(key) ?? 0, ...(without.length > 0 && { without }) },
      shownBy: shownByOf({ ...place, details: texts }, circumstances),
    }
  })
  const isIgnored = ({ ignored }: Pick<DifferenceReport, 'ignored'>): number => (ignored === null ? 0 : 1)
  return reports.sort(
    (a, b) =>
      isIgnored(a) - isIgnored(b) ||
      b.requests - a.requests ||
      compareTexts(a.path, b.path) ||
      compareTexts(a.kind, b.kind),
  )
}

/** Adds up the classes at one place. */
function summed([first, ...others]: readonly DifferenceClass[]): DifferenceClass {
  const sum = { ...(first as DifferenceClass) }
  for (const other of others) addTo(sum, other)
  return sum
}

function detailsOf(group: readonly DifferenceClass[]): NamedSums {
  const sum = new NamedSums(Number.POSITIVE_INFINITY)
  for (const { detail, details } of group) {
    if (detail === OTHER) sum.add(OTHER, details.total())
    else sum.addAll(details.entries())
  }
  return sum
}

const mappingOf = (line: MappingLine | null): DifferenceReport['mapping'] =>
  line && { legacy: line.legacy, v1: line.v1, change: line.change, reason: line.reason }

/** Returns how often exchanges show a key again, because they show several changes at one place. */
function repeatsOf(
  patterns: readonly Pattern[],
  keyOf: (found: DifferenceClass) => string,
  isOneOfSeveral: (found: DifferenceClass) => boolean,
): ReadonlyMap<string, number> {
  const repeats = new Map<string, number>()
  for (const { classes, requests } of patterns) {
    const seen = new Set<string>()
    for (const key of classes.filter(isOneOfSeveral).map(keyOf)) {
      if (seen.has(key)) repeats.set(key, (repeats.get(key) ?? 0) + requests)
      seen.add(key)
    }
  }
  return repeats
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
