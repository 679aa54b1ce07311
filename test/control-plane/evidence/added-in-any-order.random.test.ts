import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { type Observation, skipped } from '../../../src/control-plane/evidence/observation.ts'
import { BOUNDS, type Bounds } from '../../../src/control-plane/evidence/tally/bounds.ts'
import { type OperationCounts, operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import { sumOfCounts } from '../../../src/control-plane/evidence/tally/operation-state.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { runs } from '../../support/random-runs.ts'
import { assumed, expectationsFrom, lost } from './support/lines.ts'
import { criteriaOf, observe, reply } from './support/observing.ts'

/*
 * Several gateways count one stream of exchanges. Adding up what they stored, in any order and portions, must give what a single
 * gateway would have counted, byte for byte.
 */

const lines = [lost('gone', 'no more'), assumed('m1', 'data.m1')]
const lenient = [
  { operation: '*', path: 'm0', why: 'known' },
  { operation: '*', path: 'm2', kind: 'type' as const, details: 'number → null', why: 'it may be unset' },
  { operation: '*', path: 'set-cookie', kind: 'header' as const, details: 'c1 → c2', why: 'renamed' },
  { operation: '*', path: 'm3', client: 'app', why: 'the app does not read it' },
  { operation: '*', path: 'm1', when: { search: true }, why: 'a search finds more' },
]
/** The rules of two replicas while a rollout file is being replaced. */
const rules = [expectationsFrom(lines, lenient), expectationsFrom(lines)] as const
const criteria = () => criteriaOf(new Map([['made-up', rules[0]]]), 0.5)
const NOW = Date.UTC(2026, 0, 1)

/** How an exchange went. Numbers choose among a few possibilities. */
interface Exchange {
  readonly kind: 'compared' | 'skipped' | 'unjudged' | 'failed' | 'written'
  /** v1's value of each member, see `ANSWERS`; `drifts`: the data changes, and both sides give the same value the next time. */
  readonly members: readonly { readonly at: number; readonly is: number; readonly drifts: boolean }[]
  readonly cookies: readonly [number, number]
  readonly status: number
  readonly by: number
  readonly minute: number
  readonly release: number
  readonly rules: number
}

/** v1's values in place of legacy's. */
const ANSWERS = ['same', undefined, 2, null, 'x', true, []] as const

function observed({ kind, members, cookies, status, by, minute, release, rules: which }: Exchange): Observation {
  const expectations = rules[which % rules.length] ?? rules[0]
  const lineage = { mapping: expectations.mapping, v1: `${release}`, legacy: null }
  const dropped = members.map(({ at }) => `dropped${at}`)
  if (kind === 'skipped') return { ...skipped('made-up', 'a login'), lineage }
  if (kind === 'written') {
    const [input, client, at] = [by % 40, by % 30, NOW + minute * 60_000]
    const writes = { isTaken: true, dropped }
    return { ...skipped('made-up', 'a write'), lineage, writes, input, client, unit: by, at }
  }
  const body = (isAgain: boolean, isCandidate: boolean) =>
    Object.fromEntries(
      members.flatMap(({ at, is, drifts }) => {
        const legacy = isAgain && drifts ? 3 : 1
        const other = isCandidate && legacy === 1 ? ANSWERS[is % ANSWERS.length] : 'same'
        const value = other === 'same' ? legacy : other
        return value === undefined ? [] : [[at === 4 ? 'gone' : `m${at}`, value]]
      }),
    )
  const side = (isAgain: boolean, isCandidate: boolean) => ({
    ...reply(body(isAgain, isCandidate), isCandidate && status > 0 ? 400 + status : 200),
    headers: { 'set-cookie': `c${cookies[isCandidate ? 1 : 0]}` },
  })
  const failing = kind === 'failed' ? { failure: `${500 + status}` } : undefined
  const seen = observe({
    control: failing ?? side(false, false),
    control2: side(true, false),
    candidate: kind === 'unjudged' ? { failure: `timeout ${status}` } : side(false, true),
    candidate2: side(true, true),
    ...{ line: by, input: `input ${by % 40}`, client: `client ${by % 30}`, expectations },
    ...{ rolloutClient: by % 2 === 0 ? 'app' : 'other', at: new Date(NOW + minute * 60_000) },
  })
  const notSent = members.map(({ at, drifts }) => ({
    ...{ part: drifts ? ('value' as const) : ('request' as const), legacy: `sent${at}` },
  }))
  const shownBy = {
    ...{ client: `app ${by % 40}`, features: members.map(({ at }) => `1 f${at}`) },
    malformed: members.some(({ drifts }) => drifts) ? 'cut off' : undefined,
  }
  const sent = [['search'], [], ['code', 'search'], undefined][by % 4]
  return { ...seen, sent, lineage, notSent, shownBy, durations: { control: by + 1, candidate: minute + 1 } }
}

/** Exchanges with this many different members, cookies and callers. */
const exchangesOf = (variety: number): fc.Arbitrary<Exchange> =>
  fc.record({
    kind: fc.oneof(
      { weight: 12, arbitrary: fc.constant('compared' as const) },
      { weight: 1, arbitrary: fc.constantFrom('skipped', 'unjudged', 'failed', 'written') },
    ),
    members: fc.uniqueArray(
      fc.record({ at: fc.nat(variety), is: fc.nat(ANSWERS.length - 1), drifts: fc.nat(3).map((one) => one === 0) }),
      { maxLength: 4, selector: ({ at }) => at },
    ),
    cookies: fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat(variety), fc.nat(variety))),
    status: fc.nat(variety).map((one) => Math.max(0, one - variety + 3)),
    by: fc.nat(variety * variety),
    minute: fc.nat(30),
    release: fc.nat(3),
    rules: fc.nat(1),
  })

const written = (all: readonly OperationCounts[]): readonly OperationCounts[] =>
  (JSON.parse(JSON.stringify(all)) as unknown[]).map((counts) => operationCounts.parse(counts))

/** The reports and the stored counts, as text. */
const textOf = (tally: Tally): string => JSON.stringify([tally.snapshot(), tally.exportCounts()])

/** Returns a function that returns random numbers below another, the same ones in each run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The rows that gateways leave behind. Each gateway writes its own rows, complete, again and again. */
class Rows {
  readonly #rows = new Map<string, OperationCounts>()
  readonly #bounds: Bounds
  readonly #chance: (below: number) => number

  constructor(bounds: Bounds, chance: (below: number) => number) {
    this.#bounds = bounds
    this.#chance = chance
  }

  /** Writes everything that a process counted, in place of its earlier rows. */
  write(process: string, all: readonly OperationCounts[]): void {
    for (const counts of written(all)) this.#rows.set(`${process} ${JSON.stringify(counts.lineage)}`, counts)
  }

  /** Folds rows of one lineage into one, `times` times. */
  fold(times: number): void {
    for (let time = 0; time < times; time++) {
      const [one, other] = [this.#any(), this.#any()]
      const [kept, added] = [this.#rows.get(one), this.#rows.get(other)]
      if (kept === undefined || added === undefined || one === other) continue
      if (JSON.stringify(kept.lineage) !== JSON.stringify(added.lineage)) continue
      const [sum] = written([sumOfCounts(kept === undefined ? [added] : [kept, added], this.#bounds)])
      this.#rows.delete(other)
      if (sum !== undefined) this.#rows.set(one, sum)
    }
  }

  /** Adds all rows up, in a random order. */
  read(): Tally {
    const tally = createTally(criteria, undefined, this.#bounds)
    const left = [...this.#rows.values()]
    while (left.length > 0) tally.importCounts(left.splice(this.#chance(left.length), 1))
    return tally
  }

  #any(): string {
    return [...this.#rows.keys()][this.#chance(this.#rows.size)] ?? ''
  }
}

/** Counts a stream with several gateways, which write now and then, crash and restart. Also returns what was written. */
function byMany(stream: readonly Observation[], bounds: Bounds, chance: (below: number) => number, every = 8) {
  const rows = new Rows(bounds, chance)
  const stored: Observation[] = []
  const replicas = Array.from({ length: 1 + chance(4) }, () => ({
    ...{ incarnation: 0, tally: createTally(criteria, undefined, bounds), unwritten: [] as Observation[] },
  }))
  const write = (replica: (typeof replicas)[number]): void => {
    rows.write(`${replicas.indexOf(replica)} ${replica.incarnation}`, replica.tally.exportCounts())
    stored.push(...replica.unwritten.splice(0))
  }
  const startAgain = (replica: (typeof replicas)[number]): void => {
    replica.incarnation++
    replica.tally = createTally(criteria, undefined, bounds)
    replica.unwritten = []
  }
  for (const observation of stream) {
    const replica = replicas[chance(replicas.length)]
    if (replica === undefined) continue
    replica.tally.record(observation)
    replica.unwritten.push(observation)
    if (chance(every) === 0) write(replica)
    if (chance(3 * every) === 0) startAgain(replica)
  }
  for (const replica of replicas) write(replica)
  for (const replica of replicas) write(replica)
  rows.fold(chance(20))
  return { tally: rows.read(), stored }
}

function byOne(stream: readonly Observation[], bounds: Bounds, chance?: (below: number) => number): Tally {
  const tally = createTally(criteria, undefined, bounds)
  const left = [...stream]
  while (left.length > 0) for (const one of left.splice(chance?.(left.length) ?? 0, 1)) tally.record(one)
  return tally
}

const STREAM = { minLength: 5, maxLength: 60, size: 'max' } as const

/** Small bounds, which are reached soon. */
const SMALL: Bounds = {
  ...BOUNDS,
  classes: 7,
  patterns: 6,
  inputs: 5,
  clients: 4,
  reasons: 2,
  details: 3,
  droppedMembers: 3,
  notSent: 3,
  circumstances: 4,
  features: 2,
}

/** An exchange in which v1 sets another cookie. */
const withCookie = (name: string) => {
  const side = (cookie: string) => ({ ...reply({ a: 1 }), headers: { 'set-cookie': cookie } })
  return observe({ control: side('c'), candidate: side(name) })
}
const withTypes = (...types: readonly (readonly [member: string, is: unknown])[]) =>
  types.map(([member, is]) => observe({ control: { [member]: 1 }, candidate: { [member]: is } }))

describe('beyond the bounds', () => {
  it('a place without room for all of its changes leaves no room for a larger place', () => {
    const bounds = { ...SMALL, classes: 4 }
    const filling = withTypes(['a', null], ['b', null], ['c', null], ['c', 'x'], ['c', true])
    const larger = withTypes(['d', null])
    const [one, other] = [byOne(filling, bounds), byOne(larger, bounds)]
    const sum = createTally(criteria, undefined, bounds)
    for (const tally of [one, other]) sum.importCounts(written(tally.exportCounts()))
    expect(textOf(sum)).toBe(textOf(byOne([...larger, ...filling], bounds)))
    expect(sum.exportCounts()).toMatchObject([{ classes: [{ path: 'a' }, { path: 'b' }], unlisted: 4 }])
  })

  it('exchanges that differ at one place alone leave room for others', () => {
    const cookies = ['e', 'd', 'c2', 'b', 'a'].map(withCookie)
    const [counts] = byOne([...cookies, ...withTypes(['a', null])], SMALL).exportCounts()
    expect(counts?.patterns).toHaveLength(SMALL.details + 1)
    expect(counts?.judged.content.mismatched).toBe(2)
  })
})

describe('results do not depend on how they were counted:', () => {
  it.each([
    ['few differences', 3],
    ['more than are kept', 9],
    ['many more than are kept', 40],
  ])('by one gateway or by several that crash, with %s', (_, variety) => {
    fc.assert(
      fc.property(fc.array(exchangesOf(variety), STREAM), fc.nat(), (exchanges, seed) => {
        const stream = exchanges.map(observed)
        const { tally, stored } = byMany(stream, SMALL, dice(seed))
        expect(textOf(tally)).toBe(textOf(byOne(stored, SMALL)))
      }),
      { numRuns: runs(60) },
    )
  })

  it('in any order of the calls', () => {
    fc.assert(
      fc.property(fc.array(exchangesOf(9), STREAM), fc.nat(), (exchanges, seed) => {
        const stream = exchanges.map(observed)
        expect(textOf(byOne(stream, SMALL, dice(seed)))).toBe(textOf(byOne(stream, SMALL)))
      }),
      { numRuns: runs(60) },
    )
  })

  // It takes thousands of exchanges to reach these bounds.
  it.runIf(inject('hasFullLength'))('with the bounds of real gateways', () => {
    const chance = dice(20)
    const member = () => ({
      ...(chance(2) === 0 ? { at: chance(15), is: 1 + chance(6) } : { at: chance(900), is: 4 }),
      drifts: chance(9) === 0,
    })
    const stream = Array.from({ length: 2_500 }, (_, by) =>
      observed({
        kind: 'compared',
        members: Array.from({ length: chance(4) }, member),
        cookies: chance(3) === 0 ? [chance(60), chance(60)] : [0, 0],
        ...{ status: 0, by, minute: chance(30), release: chance(8) === 0 ? 1 : 0, rules: chance(9) === 0 ? 1 : 0 },
      }),
    ).map((one, nth) => ({ ...one, sent: ['search'], input: nth * 7_919, client: nth * 104_729 }))
    const one = byOne(stream, BOUNDS)
    const [counts] = one.exportCounts()
    expect(counts?.classes.length).toBeGreaterThan(BOUNDS.classes - BOUNDS.details)
    expect(counts?.classes.filter(({ kind }) => kind === 'header')).toHaveLength(BOUNDS.details + 1)
    expect(counts?.patterns).toHaveLength(BOUNDS.patterns)
    expect([counts?.inputs.length, counts?.clients.length]).toEqual([BOUNDS.inputs, BOUNDS.clients])
    const { tally, stored } = byMany(stream, BOUNDS, chance, 300)
    expect(textOf(tally)).toBe(textOf(byOne(stored, BOUNDS, chance)))
  })
})
