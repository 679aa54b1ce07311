import type { LineCounts } from '../coverage/coverage.ts'
import { lineText } from '../coverage/line-to-see.ts'
import type { Where } from '../diff/difference.ts'
import { STRATA } from '../strata.ts'
import { addClients } from './client-sketch.ts'
import type { OperationCounts } from './operation-counts.ts'
import {
  assumptionKey,
  classKey,
  type DifferenceClass,
  type IgnoreCheck,
  type OperationState,
  outcomeOf,
  type Pattern,
} from './operation-state.ts'
import { outermost } from './period.ts'

/** The bounds of what is kept per operation. */
export const BOUNDS = {
  ...{
    classes: 500,
    patterns: 500,
    inputs: 1_000,
    clients: 1_000,
    reasons: 20,
    details: 50,
    lines: 20,
    droppedMembers: 50,
  },
} as const

/** The name under which details and reasons beyond the bound are counted. */
const OTHER = 'other'

/** Adds the counts of one exchange, or of everything before a restart. */
export function addCounts(state: OperationState, counts: OperationCounts, expectations: IgnoreCheck): void {
  const { totals, judged, unjudged, clients, period } = state
  for (const name of ['failed', 'skipped', 'unlisted'] as const) totals[name] += counts[name]
  for (const stratum of STRATA) {
    for (const outcome of ['matched', 'ignored', 'mismatched'] as const) {
      judged[stratum][outcome] += counts.judged[stratum][outcome]
    }
  }
  for (const [reason, times] of Object.entries(counts.unjudged)) addNamed(unjudged, reason, times, BOUNDS.reasons)
  for (const input of counts.inputs) if (state.inputs.size < BOUNDS.inputs) state.inputs.add(input)
  for (const unit of counts.units) state.units.add(unit)
  for (const unit of counts.differingUnits) state.differingUnits.add(unit)
  for (const [client, requests] of counts.clients) {
    const before = clients.get(client)
    if (before !== undefined || clients.size < BOUNDS.clients) clients.set(client, (before ?? 0) + requests)
  }
  period.since = outermost(Math.min, period.since, counts.since)
  period.until = outermost(Math.max, period.until, counts.until)
  for (const side of ['control', 'candidate'] as const) state.durations[side].addAll(counts.durations[side])
  state.writes.roundTrips += counts.roundTrips
  for (const [path, times] of Object.entries(counts.droppedMembers)) {
    addNamed(state.writes.droppedMembers, path, times, BOUNDS.droppedMembers)
  }
  for (const added of counts.assumptions) addAssumption(state, added)
  for (const added of counts.coverage) addLine(state, added)
  const classes = counts.classes.map((added) => addClass(state, added))
  for (const { stratum, classes: places, requests } of counts.patterns) {
    const shown = places.flatMap((at) => classes[at] ?? [])
    addPattern(state, { stratum, classes: shown, requests }, expectations)
  }
}

function addNamed(sums: Map<string, number>, name: string, times: number, most: number): void {
  const listed = sums.has(name) || sums.size < most ? name : OTHER
  sums.set(listed, (sums.get(listed) ?? 0) + times)
}

/** Needs no bound: there are at most as many as the mapping has lines. */
function addAssumption({ assumptions }: OperationState, added: OperationCounts['assumptions'][number]): void {
  const existing = assumptions.get(assumptionKey(added))
  if (existing === undefined) assumptions.set(assumptionKey(added), { ...added })
  else {
    existing.matched += added.matched
    existing.differed += added.differed
  }
}

/** Needs no bound either: only lines of the mapping are counted. */
function addLine({ coverage }: OperationState, { part, legacy, requests, differed }: LineCounts): void {
  const before = coverage.get(lineText({ part, legacy }))
  coverage.set(lineText({ part, legacy }), {
    ...{ part, legacy },
    requests: requests + (before?.requests ?? 0),
    differed: differed + (before?.differed ?? 0),
  })
}

/** Adds to a class and returns it; a class beyond the bound is not kept. */
function addClass({ classes }: OperationState, added: OperationCounts['classes'][number]): DifferenceClass {
  const { part, kind, path, from, excusedBy } = added
  const detail = listedDetail(classes, added)
  const key = classKey({ ...added, detail })
  const sum = classes.get(key) ?? {
    ...{ part, kind, path, from, detail, excusedBy, requests: 0, count: 0, drift: 0 },
    ...{ details: new Map(), lines: [], since: null, until: null, clients: [] },
  }
  if (classes.size < BOUNDS.classes) classes.set(key, sum)
  sum.requests += added.requests
  sum.count += added.count
  sum.drift += added.drift
  sum.since = outermost(Math.min, sum.since, added.since)
  sum.until = outermost(Math.max, sum.until, added.until)
  sum.clients = addClients(sum.clients, added.clients)
  sum.lines = [...new Set([...sum.lines, ...added.lines])].sort((a, b) => a - b).slice(0, BOUNDS.lines)
  for (const [detail, times] of Object.entries(added.details)) addNamed(sum.details, detail, times, BOUNDS.details)
  return sum
}

/** Returns the change that a class is counted under. A service may vary a header without end. */
function listedDetail(classes: OperationState['classes'], added: Where): string | undefined {
  if (added.detail === undefined || classes.has(classKey(added))) return added.detail
  let listed = 0
  for (const { part, kind, path, detail } of classes.values()) {
    if (detail !== undefined && kind === added.kind && path === added.path && part === added.part) listed++
  }
  return listed < BOUNDS.details ? added.detail : OTHER
}

/**
 * Counts exchanges by the classes that they show, so that they can be judged again when the rules change.
 * There are few such patterns. Beyond the bound an exchange is judged now, for good.
 */
function addPattern(state: OperationState, { stratum, classes, requests }: Pattern, expectations: IgnoreCheck): void {
  const keys = classes.map(classKey)
  const isListed = keys.every((key) => state.classes.has(key))
  const key = [stratum, ...keys.sort()].join('\n')
  const existing = state.patterns.get(key)
  if (existing !== undefined) existing.requests += requests
  else if (isListed && state.patterns.size < BOUNDS.patterns) state.patterns.set(key, { stratum, classes, requests })
  else {
    const outcome = outcomeOf(expectations, classes)
    state.judged[stratum][outcome] += requests
    if (!isListed && outcome === 'mismatched') state.totals.unlisted += requests
  }
}
