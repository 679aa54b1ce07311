import type { LineCounts } from '../coverage/coverage.ts'
import { lineText } from '../coverage/line-to-see.ts'
import { STRATA } from '../strata.ts'
import { changeKey, placeOf } from './difference-classes.ts'
import type { OperationCounts } from './operation-counts.ts'
import { assumptionKey, type OperationState } from './operation-state.ts'
import { patternId } from './patterns.ts'
import { outermost } from './period.ts'

/** Adds the counts of one or more exchanges. The sum does not depend on the order or the portions in which counts are added. */
export function addCounts(state: OperationState, counts: OperationCounts): void {
  const { totals, judged, clients, period } = state
  for (const name of ['failed', 'skipped', 'notDrawn', 'refusals', 'unitCalls'] as const) totals[name] += counts[name]
  for (const stratum of STRATA) {
    for (const outcome of ['matched', 'ignored', 'mismatched'] as const) {
      judged[stratum][outcome] += counts.judged[stratum][outcome]
    }
  }
  state.unjudged.addAll(Object.entries(counts.unjudged))
  state.skips.addAll(Object.entries(counts.skips))
  for (const input of counts.inputs) if (state.inputs.admits(input)) state.inputs.set(input, true)
  for (const unit of counts.units) state.units.add(unit)
  state.differingUnits.add(counts)
  for (const [client, requests] of counts.clients) {
    if (clients.admits(client)) clients.set(client, (clients.get(client) ?? 0) + requests)
  }
  for (const called of counts.lists) addList(state, called)
  period.since = outermost(Math.min, period.since, counts.since)
  period.until = outermost(Math.max, period.until, counts.until)
  for (const side of ['control', 'candidate'] as const) state.durations[side].addAll(counts.durations[side])
  state.writes.roundTrips += counts.roundTrips
  state.writes.droppedMembers.addAll(Object.entries(counts.droppedMembers))
  for (const added of counts.assumptions) addAssumption(state, added)
  for (const added of counts.coverage) addLine(state, added)
  state.notSent.addAll(counts.notSent)
  state.circumstances.add(counts.circumstances)
  addDifferences(state, counts)
}

function addList({ lists }: OperationState, [id, says, lastAt, compared]: OperationCounts['lists'][number]): void {
  if (!lists.admits(id)) return
  const before = lists.get(id)
  // Of different words for one list, such as those of two versions, the smallest are kept.
  lists.set(id, {
    says: before === undefined || says < before.says ? says : before.says,
    lastAt: outermost(Math.max, before?.lastAt ?? null, lastAt),
    compared: (before?.compared ?? 0) + compared,
  })
}

/** Needs no bound: there are no more assumptions than the mapping has lines. */
function addAssumption({ assumptions }: OperationState, added: OperationCounts['assumptions'][number]): void {
  const existing = assumptions.get(assumptionKey(added))
  if (existing === undefined) assumptions.set(assumptionKey(added), { ...added })
  else {
    existing.matched += added.matched
    existing.differed += added.differed
  }
}

/** Needs no bound: only lines of the mapping are counted. */
function addLine({ coverage }: OperationState, { part, legacy, requests, differed }: LineCounts): void {
  const before = coverage.get(lineText({ part, legacy }))
  coverage.set(lineText({ part, legacy }), {
    ...{ part, legacy },
    requests: requests + (before?.requests ?? 0),
    differed: differed + (before?.differed ?? 0),
  })
}

/** Adds patterns last, because adding a class may remove another one. */
function addDifferences({ classes, patterns }: OperationState, counts: OperationCounts): void {
  if (counts.beyond !== undefined) classes.leaveOut(counts.beyond)
  classes.addUnlisted(counts.unlisted)
  const places = counts.classes.map(placeOf)
  for (const [at, added] of counts.classes.entries()) classes.add(places[at] as string, added)
  for (const { classes: shown, ...pattern } of counts.patterns) {
    const at = shown.filter((index) => index < places.length)
    const placesShown = at.map((index) => places[index] as string)
    const last = placesShown.reduce((last, place) => (place > last ? place : last), '')
    if (classes.beyond !== undefined && last >= classes.beyond) patterns.judge(pattern)
    else {
      const changes = at.map((index) => counts.classes[index] ?? {})
      patterns.add({
        ...pattern,
        id: pattern.id ?? patternId(pattern, placesShown, changes.map(changeKey)),
        last,
        classes: placesShown.flatMap((place, nth) => classes.at(place, changes[nth] ?? {}) ?? []),
      })
    }
  }
}
