import { Histogram } from '../../common/histogram.ts'
import type { Answered, SideAnswers } from '../answered.ts'

/** What both sides answered. */
export type BothSides = Pick<Answered, 'v1' | 'legacy'>

export const NOTHING: BothSides = {
  v1: { calls: 0, failures: 0, times: [] },
  legacy: { calls: 0, failures: 0, times: [] },
}

/** Adds up what several processes answered. */
export function addAnswered(all: readonly BothSides[]): BothSides {
  return { v1: addSides(all.map(({ v1 }) => v1)), legacy: addSides(all.map(({ legacy }) => legacy)) }
}

function addSides(all: readonly SideAnswers[]): SideAnswers {
  const times = new Histogram()
  for (const side of all) times.addAll(side.times)
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    times: times.counts(),
  }
}

/** Returns what was answered since `before`, which is part of `all`. After a restore it may not be; still, no count falls below zero. */
export const answeredSince = (all: BothSides, before: BothSides): BothSides => ({
  v1: sideSince(all.v1, before.v1),
  legacy: sideSince(all.legacy, before.legacy),
})

function sideSince(all: SideAnswers, before: SideAnswers): SideAnswers {
  const earlier = new Map(before.times)
  return {
    calls: Math.max(all.calls - before.calls, 0),
    failures: Math.max(all.failures - before.failures, 0),
    times: all.times
      .map(([bucket, times]) => [bucket, times - (earlier.get(bucket) ?? 0)] as const)
      .filter(([, times]) => times > 0),
  }
}
