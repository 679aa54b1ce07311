import { describe, expect, it } from 'vitest'
import {
  type DossierReport,
  fleetInWords,
  operationInWords,
  overallInWords,
} from '../../../src/control-plane/evidence/dossier/dossier-words.ts'
import { chargeThings, createThing, listThings } from '../../support/made-up-operations.ts'
import { observe, only, tallyOf } from './support/observing.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 22)
const ALL_SEEN = { lines: 4, seen: 4, share: 1, unseen: [], notSent: [] }

/** A report of matches by some clients over some days, with the given members changed. */
function reportOn(units: number, days: number, clients: number, said: Partial<DossierReport> = {}): DossierReport {
  const tally = tallyOf()
  for (let unit = 0; unit < units; unit++) {
    const at = new Date(NOW + (unit / Math.max(units - 1, 1)) * days * DAY)
    tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, input: `${unit}`, client: `${unit % clients}`, at }))
  }
  return { ...only(tally), coverage: ALL_SEEN, ...said }
}

const wordsOf = (report: DossierReport | null): string => operationInWords(listThings, report)

describe('the verdict in words', () => {
  it('says how much was seen, from whom, for how long, and what that proves', () => {
    expect(wordsOf(reportOn(412, 7, 23))).toBe(
      '412 units of 23 clients in 7 days: with 95 % confidence at most 0.73 % of traffic like this differs; v1 failed 0 %; 0 % could not be judged; each of the 4 lines of the mapping was seen.',
    )
    expect(wordsOf(reportOn(300, 0.25, 1))).toMatch(
      /^300 units of 1 client in 6 hours: with 95 % confidence at most 1 %/,
    )
    expect(wordsOf(reportOn(300, 0, 1))).toMatch(/^300 units of 1 client within an hour: /)
  })

  it('says what could not be judged, rounded up, and what is missing', () => {
    const { totals } = reportOn(412, 7, 23)
    const words = wordsOf(
      reportOn(412, 7, 23, {
        totals,
        unjudged: { 'control: timeout': 13 },
        verdict: 'insufficient data',
        missing: ['judged 96.94 % of 99 %'],
      }),
    )
    expect(words).toMatch(/; 3\.06 % could not be judged; each .* was seen; missing: judged 96\.94 % of 99 %\.$/)
  })

  it('says how often v1 failed, and how many classes of difference count', () => {
    const tally = tallyOf()
    for (let unit = 0; unit < 498; unit++)
      tally.record(observe({ control: { a: 1 }, candidate: { a: 1 }, input: `${unit}`, client: 'a' }))
    tally.record(observe({ control: { a: 1 }, candidate: { failure: 'timeout' }, input: 'x', client: 'a' }))
    tally.record(observe({ control: { a: 1 }, candidate: { a: 2 }, input: 'y', client: 'a' }))
    expect(wordsOf(only(tally))).toBe(
      '500 units of 1 client: 2 exchanges differed, in 2 classes of difference; v1 failed 0.20 %; 0 % could not be judged.',
    )
  })

  it('never says that nothing can differ when little was seen', () => {
    expect(wordsOf(reportOn(1, 0, 1))).toMatch(/at most 95 % of traffic like this differs/)
    expect(wordsOf(null)).toBe('None of its calls was seen.')
  })

  it('names the first lines that were never seen', () => {
    const unseen = Array.from({ length: 10 }, (_, at) => ({ part: 'request', legacy: `filter${at}` }))
    expect(
      wordsOf(reportOn(300, 1, 1, { coverage: { lines: 31, seen: 21, unseen, share: 0.677 } as never })),
    ).toContain(
      '; never seen: 10 of 31 lines of the mapping (request filter0, request filter1, request filter2, request filter3, request filter4, request filter5, request filter6, request filter7 and 2 more).',
    )
    expect(
      wordsOf(reportOn(300, 1, 1, { coverage: { lines: 31, seen: 31, unseen: [], share: 1 } as never })),
    ).toContain('; each of the 31 lines of the mapping was seen.')
  })

  it('says what is known about a write, and what can never be known', () => {
    const nothing = reportOn(1, 0, 1, { units: { distinct: 0, mismatched: 0, estimated: false } })
    const never = 'A write. It is never sent twice to a real service, so its answers were not compared.'
    expect(operationInWords(createThing, nothing)).toBe(never)
    expect(operationInWords(createThing, { ...nothing, roundTrip: { checked: 412, differed: 0 } })).toBe(
      `${never} Answers translated to v1's shape and back: 412; none came back different.`,
    )
    const counted = { units: { distinct: 9, estimated: false }, inputs: { distinct: 8, atLeast: false } }
    const checked = { writes: 69, ...counted, clients: { distinct: 3, atLeast: false }, since: null, until: null }
    const lost = {
      kind: 'dropped',
      path: 'gsm',
      requests: 69,
      clients: { distinct: 3, estimated: false },
      ignored: null,
    }
    expect(operationInWords(createThing, { ...nothing, checked, differences: [lost] as never })).toBe(
      'A write. It is never sent twice to a real service, so it was only checked, which proves nothing about v1. 69 writes checked, 1 member is lost: gsm (69 calls, 3 clients).',
    )
    expect(operationInWords(createThing, reportOn(300, 1, 1))).toContain('Between copies of both services: 300 units')
    expect(operationInWords(chargeThings, null)).toBe('v1 has no equivalent: only the legacy service can answer it.')
  })

  it('says about all operations together what people sign', () => {
    const overall = { confidence: 0.95, of: 9 }
    expect(overallInWords({ ...overall, verdict: 'ready', ready: 9, together: 9 })).toBe(
      'All 9 operations that can be compared are proven, each and all at once, with 95 % confidence.',
    )
    expect(overallInWords({ ...overall, verdict: 'not ready', ready: 8, together: 2 })).toBe(
      'Something differs. 8 of the 9 operations that can be compared are proven, each with 95 % confidence. To be as sure of all 9 at once, each needs more units: 2 of the 8 have enough.',
    )
  })
})

describe('the results in words', () => {
  const shared = { engine: 'postgresql', replicas: 3, degradedSince: null } as const

  it.each([
    [shared, true, 'of 3 replicas, kept in PostgreSQL'],
    [{ ...shared, replicas: 1 }, true, 'of 1 replica, kept in PostgreSQL'],
    [{ ...shared, engine: 'sqlite', replicas: 1 }, true, 'of 1 replica, kept in SQLite'],
    [{ ...shared, engine: 'sqlite', replicas: 1 }, false, 'of 1 replica, in memory only'],
    [{ ...shared, engine: 'sqlite', replicas: null }, true, 'kept in SQLite'],
  ] as const)('say how many replicas found them, and where they are kept: %j, %j', (fleet, isKept, words) => {
    expect(fleetInWords(fleet, isKept)).toBe(words)
  })

  it('say what they lack', () => {
    const degraded = { ...shared, degradedSince: '2026-11-22T08:30:00.123Z' }
    expect(fleetInWords(degraded, true)).toBe(
      'of 3 replicas, kept in PostgreSQL; since 2026-11-22 08:30:00 UTC results of other replicas are missing',
    )
    expect(fleetInWords({ ...degraded, engine: 'sqlite', replicas: 1 }, true)).toBe(
      'of 1 replica, kept in SQLite; since 2026-11-22 08:30:00 UTC nothing could be stored',
    )
  })
})
