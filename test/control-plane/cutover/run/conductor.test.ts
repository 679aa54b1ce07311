import { afterEach, describe, expect, it } from 'vitest'
import type { Cutover } from '../../../../src/control-plane/cutover/cutover.ts'
import type { Position } from '../../../../src/control-plane/cutover/position.ts'
import { conductor } from '../../../../src/control-plane/cutover/run/conductor.ts'
import type { CachedCutover, PositionCache } from '../../../../src/control-plane/cutover/run/position-cache.ts'
import type { Judged } from '../../../../src/control-plane/cutover/run/verdicts.ts'
import type { Plan } from '../../../../src/control-plane/rollout/plan.ts'
import type { Rollout } from '../../../../src/control-plane/rollout/rollout.ts'
import { parseAbout } from '../../../support/rollout-setting.ts'
import { type FakeStore, fakeStore } from '../support/fake-store.ts'

const OPERATION = 'some-operation'

const PLAN: Plan = {
  ...{ steps: [5, 50, 100], calls: 2, minutes: 10, approve: [], window: undefined, withoutVerdict: undefined },
  brake: { errors: 0.01, slowdown: 2 },
}

/** It comes first, and has a plan that cannot be judged where a test wants that. */
const BROKEN = 'broken-operation'
const BROKEN_PLAN: Plan = { ...PLAN, window: { days: [1], from: '09:00', to: '10:00', zone: 'Nowhere/At-All' } }

const EMPTY = parseAbout([], '{}')

const rolloutWith = (plan: Plan | undefined, isOneBroken: boolean): Rollout => ({
  ...EMPTY,
  of: (operation) => ({
    ...EMPTY.of(operation),
    serve: 'legacy',
    plan: operation === OPERATION ? plan : isOneBroken ? BROKEN_PLAN : undefined,
  }),
})

const position = (others: Partial<Position> = {}): Position => ({
  ...{
    operation: OPERATION,
    version: 1,
    state: 'running',
    percent: 5,
    step: 1,
    stage: 1,
    since: '2026-01-05T10:00:00Z',
  },
  ...{ approved: null, by: 'auto', why: 'the verdict is ready' },
  ...others,
})

const judgedAs = (verdict: Judged['verdict'], differences: readonly string[] = []): Judged => ({
  ...{ operation: OPERATION, verdict, missing: [], lineage: { mapping: 'm', v1: null, legacy: null } },
  differences: differences.map((path) => ({ kind: 'changed', path, ignored: null })) as never,
})

interface Bed {
  readonly cutover: Cutover
  readonly lines: readonly Record<string, unknown>[]
  readonly cached: readonly CachedCutover[]
  plan: Plan | undefined
  /** Undefined: nothing is said of the operation. */
  judged: Judged | undefined
  /** Whether what other processes found can be read. */
  isReadable: boolean
  /** Why nothing can be judged; undefined: it can. */
  trouble: Error | undefined
  /** Lets a second pass: one turn, with a new judgement. @param passes how far the clock goes; ms. */
  second(passes?: number): Promise<void>
}

interface BedOptions {
  readonly plan?: Plan
  readonly verdict?: Judged['verdict']
  readonly isOneBroken?: boolean
}

const open: Cutover[] = []
afterEach(async () => {
  for (const cutover of open.splice(0)) await cutover.close(0)
})

async function startBed(
  store: FakeStore,
  process = 'one',
  recalled?: CachedCutover,
  { plan = PLAN, verdict = 'insufficient data', isOneBroken = false }: BedOptions = {},
): Promise<Bed> {
  const lines: Record<string, unknown>[] = []
  const cached: CachedCutover[] = []
  let id = 0
  let milliseconds = 0
  /** When the judgement last read what other processes found. */
  let heardAt = 0
  const cache: PositionCache = {
    read: async () => recalled,
    write: (one) => void cached.push(one),
    close: async () => undefined,
  }
  const write = (line: object, msg?: string): void => void lines.push({ ...line, msg })
  const rollouts = new Map<Plan | undefined, Rollout>()
  const bed = {
    plan: plan as Plan | undefined,
    judged: judgedAs(verdict) as Judged | undefined,
    isReadable: true,
    trouble: undefined as Error | undefined,
  }
  const cutover = await conductor({
    store: store.of(process),
    rollout() {
      const rollout = rollouts.get(bed.plan) ?? rolloutWith(bed.plan, isOneBroken)
      rollouts.set(bed.plan, rollout)
      return rollout
    },
    operations: [BROKEN, OPERATION],
    async judge(wanted, maxAgeMs) {
      if (bed.trouble !== undefined) throw bed.trouble
      const all = bed.judged === undefined ? [] : [bed.judged, { ...bed.judged, operation: BROKEN }]
      if (milliseconds - heardAt >= maxAgeMs && bed.isReadable) heardAt = milliseconds
      const isWhole = milliseconds - heardAt < maxAgeMs || (bed.isReadable && maxAgeMs === 0)
      return { all: all.filter(({ operation }) => wanted.has(operation)), isWhole }
    },
    cache,
    askGate: async () => ({ says: 'go' }),
    log: { info: write, warn: write, error: write } as never,
    newId: () => `${process}-${++id}`,
    now: () => store.now,
    monotonic: () => milliseconds,
    everyMs: 5,
  })
  open.push(cutover)
  return Object.assign(bed, {
    ...{ cutover, lines, cached },
    async second(passes = 4_000) {
      milliseconds += passes
      await new Promise((resolve) => setTimeout(resolve, 20))
      await cutover.turn()
    },
  })
}

/** Counts calls that v1 answered. */
function answer({ cutover }: Bed, calls: number, failure?: string): void {
  for (let call = 0; call < calls; call++) {
    const status = failure === undefined ? 200 : 500
    cutover.count({ operation: OPERATION, answeredBy: 'v1', status, failure, milliseconds: 0 })
  }
}

const percentOf = ({ cutover }: Bed): number | undefined => cutover.percentOf(OPERATION)
const reportOf = ({ cutover }: Bed) => cutover.reports()[0]
const order = { operation: OPERATION, by: 'ops', why: 'because' }

describe('conductor', () => {
  it('begins at 0 % and takes the first step once the verdict is ready', async () => {
    const bed = await startBed(fakeStore())
    await bed.second()
    expect(percentOf(bed)).toBe(0)
    expect(reportOf(bed)).toMatchObject({ state: 'waiting', why: 'waits for the verdict (insufficient data)' })
    bed.judged = judgedAs('ready')
    await bed.second()
    await bed.second()
    expect(percentOf(bed)).toBe(5)
  })

  it('advances by calls and minutes of the whole fleet, one replica alone deciding', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const [one, other] = [await startBed(store, 'one'), await startBed(store, 'other')]
    for (const bed of [one, other]) bed.judged = judgedAs('ready')
    answer(one, 1)
    answer(other, 1)
    for (const bed of [one, other, one, other]) await bed.second()
    expect([percentOf(one), percentOf(other)]).toEqual([5, 5])
    expect(reportOf(other)).toMatchObject({ calls: 2 })
    store.now = new Date('2026-01-05T10:10:00Z')
    for (const bed of [one, other, one, other]) await bed.second()
    expect([percentOf(one), percentOf(other)]).toEqual([50, 50])
    expect(store.entries.map(({ event, by }) => [event, by])).toEqual([['advanced', 'auto']])
    const moves = [...one.lines, ...other.lines].filter(({ msg }) => msg === 'a plan has moved')
    expect(moves).toEqual([expect.objectContaining({ event: 'advanced', from: 5, to: 50 })])
  })

  it('reads what all answered each second if it decides, and every five seconds otherwise', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const [one, other] = [await startBed(store, 'one'), await startBed(store, 'other')]
    for (const bed of [one, other]) await bed.second()
    store.sumsRead.length = 0
    for (let second = 0; second < 10; second++) for (const bed of [one, other]) await bed.second(1_000)
    const readBy = (process: string): number => store.sumsRead.filter((reader) => reader === process).length
    expect(readBy('one')).toBeGreaterThanOrEqual(10)
    expect(readBy('other')).toBe(2)
  })

  it('does not promote anything while the store is away', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store)
    bed.judged = judgedAs('ready')
    answer(bed, 5)
    store.is('away')
    store.now = new Date('2026-01-05T12:00:00Z')
    for (let times = 0; times < 3; times++) await bed.second()
    expect(percentOf(bed)).toBe(5)
    expect(bed.lines.filter(({ msg }) => String(msg).includes('cannot be stored'))).toHaveLength(1)
    store.is('well')
    for (let times = 0; times < 4; times++) await bed.second()
    expect(percentOf(bed)).toBe(50)
  })

  it('brakes as soon as it is certain', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store)
    answer(bed, 19, 'unavailable')
    expect(percentOf(bed)).toBe(5)
    await bed.second()
    answer(bed, 1, 'unavailable')
    await expect.poll(() => percentOf(bed)).toBe(0)
    await bed.cutover.turn()
    expect(store.positions.get(OPERATION)).toMatchObject({ state: 'stopped', percent: 0, version: 2 })
    expect(bed.cutover.brakes()).toEqual(new Map([[OPERATION, 1]]))
  })

  it.each(['away', 'hanging'] as const)(
    'brakes while the store is %s, and that is not undone by what is read',
    async (how) => {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store)
      await bed.second()
      store.is(how)
      answer(bed, 20, 'unavailable')
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(percentOf(bed)).toBe(0)
      expect(reportOf(bed)).toMatchObject({ state: 'stopped', why: expect.stringContaining('not stored yet') })
      // Somebody else has changed the plan meanwhile, and does not know.
      store.positions.set(OPERATION, position({ version: 2, state: 'paused' }))
      store.is('well')
      for (let times = 0; times < 3; times++) {
        await bed.second()
        expect(percentOf(bed)).toBe(0)
      }
      expect(store.positions.get(OPERATION)).toMatchObject({ state: 'stopped', version: 3 })
      expect(store.entries.map(({ event }) => event)).toEqual(['braked'])
    },
  )

  it('takes over the brake of another replica, and stores it once', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const [one, other] = [await startBed(store, 'one'), await startBed(store, 'other')]
    for (const bed of [one, other]) answer(bed, 30, 'unavailable')
    for (const bed of [one, other, one, other]) await bed.second()
    expect([percentOf(one), percentOf(other)]).toEqual([0, 0])
    expect(store.entries.map(({ event }) => event)).toEqual(['braked'])
  })

  it('starts with what was last decided while the store is away, its own brake included', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position({ percent: 50, step: 2 }))
    const before = await startBed(store)
    await before.second()
    store.is('away')
    const running = before.cached.at(-1)
    expect(percentOf(await startBed(store, 'again', running))).toBe(50)
    expect(percentOf(await startBed(store, 'new'))).toBe(0)
    answer(before, 20, 'unavailable')
    await new Promise((resolve) => setTimeout(resolve, 150))
    const after = await startBed(store, 'again', before.cached.at(-1))
    expect(percentOf(after)).toBe(0)
    store.is('well')
    for (let times = 0; times < 2; times++) await after.second()
    expect(store.positions.get(OPERATION)).toMatchObject({ state: 'stopped' })
  })

  it('starts with the brownouts ended that someone ended, while the store is away', async () => {
    const store = fakeStore()
    const before = await startBed(store)
    await before.cutover.endBrownouts({ ...order, id: 'x', event: 'brownouts-ended' } as never)
    store.is('away')
    const after = await startBed(store, 'again', before.cached.at(-1))
    expect(after.cutover.brownoutsEndedAt()).toBe(store.now.toISOString())
  })

  it('stores an end of all brownouts that was ordered while the store was away, as of the time of the order', async () => {
    const store = fakeStore()
    const bed = await startBed(store)
    store.is('away')
    const entry = { ...order, id: 'x', event: 'brownouts-ended' } as never
    await expect(bed.cutover.endBrownouts(entry)).rejects.toThrow()
    for (let times = 0; times < 3; times++) await bed.second(10_000)
    expect(bed.cutover.brownoutsEndedAt()).toBe(null)
    store.is('well')
    for (let times = 0; times < 2; times++) await bed.second(1_000)
    const [stored] = store.entries.filter(({ id }) => id === 'x')
    expect(stored).toBeDefined()
    const endedAt = Date.parse(bed.cutover.brownoutsEndedAt() ?? '')
    expect(store.now.getTime() - endedAt).toBeGreaterThanOrEqual(30_000)
    expect(store.entries.filter(({ id }) => id === 'x')).toHaveLength(1)
  })

  it('forgets a plan that is taken out of the file, and goes on where it was', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store)
    bed.plan = undefined
    expect(percentOf(bed)).toBe(undefined)
    expect(bed.cutover.percents()).toBe(null)
    bed.plan = { ...PLAN, calls: 3 }
    expect(percentOf(bed)).toBe(5)
  })

  it('asks for an approval once per percentage, also when the file names another one meanwhile', async () => {
    const store = fakeStore()
    const bed = await startBed(store, 'one', undefined, { plan: { ...PLAN, approve: [5, 10, 50] }, verdict: 'ready' })
    for (const steps of [
      [5, 100],
      [10, 100],
      [10, 50, 100],
    ]) {
      bed.plan = { ...PLAN, steps, approve: [5, 10, 50] }
      for (let times = 0; times < 2; times++) await bed.second()
    }
    expect(store.entries.map(({ event, why }) => [event, why])).toEqual([
      ['approval-wanted', 'needs an approval for 5 %'],
      ['approval-wanted', 'needs an approval for 10 %'],
    ])
    expect(reportOf(bed)).toMatchObject({ state: 'awaiting approval', why: 'needs an approval for 10 %' })
  })

  it('reports a new kind of difference once', async () => {
    const store = fakeStore()
    const beds = [await startBed(store, 'one'), await startBed(store, 'other')]
    for (const verdict of [
      judgedAs('ready'),
      judgedAs('not ready', ['a', 'b']),
      judgedAs('ready'),
      judgedAs('not ready', ['a']),
    ]) {
      for (const bed of beds) bed.judged = verdict
      for (const bed of beds) await bed.second()
    }
    const told = store.entries.filter(({ event }) => event === 'new-difference')
    expect(told.map(({ why }) => why.split(': ')[1])).toEqual(['changed a', 'changed b'])
  })
})

describe('no step is taken', () => {
  const withoutVerdict = { plan: { ...PLAN, withoutVerdict: 'a write' } }

  it('before it is known that the verdict is not `not ready`, after a start', async () => {
    const store = fakeStore()
    const bed = await startBed(store, 'one', undefined, { ...withoutVerdict, verdict: 'not ready' })
    for (let times = 0; times < 3; times++) await bed.second()
    expect(store.entries).toEqual([])
    bed.judged = judgedAs('insufficient data')
    for (let times = 0; times < 2; times++) await bed.second()
    expect(percentOf(bed)).toBe(5)
  })

  it('on a verdict of long ago, while nothing can be judged', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store, 'one', undefined, { verdict: 'ready' })
    await bed.second()
    bed.trouble = new Error('the reports cannot be made')
    for (let times = 0; times < 16; times++) await bed.second()
    answer(bed, 5)
    store.now = new Date('2026-01-05T12:00:00Z')
    await bed.second()
    expect(percentOf(bed)).toBe(5)
    bed.trouble = undefined
    for (let times = 0; times < 2; times++) await bed.second()
    expect(percentOf(bed)).toBe(50)
  })

  it('on a verdict that does not know what other processes found', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store, 'one', undefined, { verdict: 'ready' })
    await bed.second()
    bed.isReadable = false
    for (let times = 0; times < 16; times++) await bed.second(10_000)
    answer(bed, 5)
    store.now = new Date('2026-01-05T12:00:00Z')
    await bed.second()
    expect(percentOf(bed)).toBe(5)
    bed.isReadable = true
    for (let times = 0; times < 2; times++) await bed.second()
    expect(percentOf(bed)).toBe(50)
  })

  it('on a verdict whose evidence is gone', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store, 'one', undefined, { verdict: 'ready' })
    await bed.second()
    bed.judged = undefined
    await bed.second()
    answer(bed, 5)
    store.now = new Date('2026-01-05T12:00:00Z')
    await bed.second()
    expect(percentOf(bed)).toBe(5)
    expect(reportOf(bed)).toMatchObject({ why: 'waits for the verdict (insufficient data)' })
  })

  it('on a verdict of before the store was away: others may have found differences', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store, 'one', undefined, { verdict: 'ready' })
    await bed.second()
    answer(bed, 5)
    store.is('away')
    bed.trouble = new Error('the reports cannot be made')
    await bed.second()
    store.is('well')
    store.now = new Date('2026-01-05T12:00:00Z')
    await bed.second()
    expect(percentOf(bed)).toBe(5)
    bed.trouble = undefined
    for (let times = 0; times < 4; times++) await bed.second()
    expect(percentOf(bed)).toBe(50)
  })

  describe('after an outage', () => {
    /** A step is due, and the store is back after a second. What others found was read just before. */
    async function afterOutage(): Promise<Bed> {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store, 'one', undefined, { verdict: 'ready' })
      await bed.second(30_000)
      answer(bed, 5)
      store.is('away')
      await bed.second(1_000)
      store.is('well')
      store.now = new Date('2026-01-05T12:00:00Z')
      return bed
    }
    const why = 'waits until the results of all gateways have been read from STATE_DB'

    it('on what was read of others before it, however lately', async () => {
      const bed = await afterOutage()
      bed.isReadable = false
      for (let times = 0; times < 5; times++) await bed.second()
      expect(reportOf(bed)).toMatchObject({ percent: 5, why })
      bed.isReadable = true
      for (let times = 0; times < 2; times++) await bed.second()
      expect(percentOf(bed)).toBe(50)
    })

    it('before others have had ten seconds to store what they found meanwhile', async () => {
      const bed = await afterOutage()
      for (let times = 0; times < 3; times++) await bed.second(3_000)
      expect(reportOf(bed)).toMatchObject({ percent: 5, why })
      for (let times = 0; times < 2; times++) await bed.second(3_000)
      expect(percentOf(bed)).toBe(50)
    })
  })
})

it('what fails for one plan keeps no other from its steps and its brake, and is logged once', async () => {
  const store = fakeStore()
  const bed = await startBed(store, 'one', undefined, { verdict: 'ready', isOneBroken: true })
  for (let times = 0; times < 3; times++) await bed.second()
  expect(percentOf(bed)).toBe(5)
  answer(bed, 20, 'unavailable')
  await expect.poll(() => percentOf(bed)).toBe(0)
  const failing = { operation: BROKEN, answeredBy: 'v1', status: 500 } as const
  expect(() => bed.cutover.count({ ...failing, failure: 'unavailable', milliseconds: 5 })).not.toThrow()
  expect(bed.cutover.reports()).toMatchObject([
    { operation: BROKEN, percent: 0, why: expect.stringContaining('cannot be judged') },
    { operation: OPERATION, state: 'stopped' },
  ])
  expect(bed.lines.filter(({ msg }) => String(msg).includes('cannot be judged'))).toEqual([
    expect.objectContaining({ operation: BROKEN }),
  ])
})

describe('orders', () => {
  it('move a plan, and are refused in words', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store)
    expect(await bed.cutover.order({ ...order, action: 'pause' })).toMatchObject({
      done: { state: 'paused', version: 2 },
    })
    expect(await bed.cutover.order({ ...order, action: 'pause' })).toMatchObject({ refused: 'refused' })
    expect(await bed.cutover.order({ ...order, action: 'resume', version: 1 })).toMatchObject({ refused: 'stale' })
    expect(await bed.cutover.order({ ...order, action: 'resume', version: 2 })).toMatchObject({
      done: { state: 'running' },
    })
    const unknown = await bed.cutover.order({ ...order, operation: 'x', action: 'stop' })
    expect(unknown).toEqual({ refused: 'unknown', message: 'x has no plan in the rollout file' })
    expect(store.entries.map(({ event, by, why }) => [event, by, why])).toEqual([
      ['paused', 'ops', 'because'],
      ['resumed', 'ops', 'because'],
    ])
  })

  it('see what another replica has just decided', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const [one, other] = [await startBed(store, 'one'), await startBed(store, 'other')]
    await one.cutover.order({ ...order, action: 'pause' })
    expect(await other.cutover.order({ ...order, action: 'resume' })).toMatchObject({ done: { version: 3 } })
  })

  it('are unavailable while the store is away, except stop', async () => {
    const store = fakeStore()
    store.positions.set(OPERATION, position())
    const bed = await startBed(store)
    store.is('away')
    expect(await bed.cutover.order({ ...order, action: 'pause' })).toMatchObject({ refused: 'unavailable' })
    expect(await bed.cutover.order({ ...order, action: 'stop' })).toMatchObject({
      done: { state: 'stopped', percent: 0, why: expect.stringContaining('not stored yet') },
    })
    expect(percentOf(bed)).toBe(0)
    store.is('well')
    await bed.second()
    expect(store.entries).toEqual([expect.objectContaining({ event: 'stopped', by: 'ops', why: 'because' })])
  })

  describe('to advance', () => {
    const advance = { ...order, action: 'advance' } as const

    it('are judged by what is known now, not by the last verdict', async () => {
      const store = fakeStore()
      const bed = await startBed(store)
      await bed.second()
      bed.judged = judgedAs('not ready')
      expect(await bed.cutover.order(advance)).toMatchObject({
        refused: 'refused',
        message: expect.stringContaining('the verdict is not ready'),
      })
      bed.judged = judgedAs('insufficient data')
      expect(await bed.cutover.order(advance)).toMatchObject({ done: { percent: 5 } })
    })

    it('are unavailable while what others found cannot be read', async () => {
      const store = fakeStore()
      const bed = await startBed(store)
      await bed.second()
      bed.isReadable = false
      const message =
        'the results of all gateways could not be read from STATE_DB, and no step is taken without them: try again'
      expect(await bed.cutover.order(advance)).toEqual({ refused: 'unavailable', message })
      expect([percentOf(bed), store.entries]).toEqual([0, []])
      expect(await bed.cutover.order({ ...order, action: 'pause' })).toMatchObject({ done: { state: 'paused' } })
    })
  })

  describe('to stop', () => {
    const stop = { ...order, action: 'stop' } as const
    const stopped = position({ state: 'stopped', percent: 0, step: 0 })
    const resumed = position({ version: 3, percent: 50, step: 2 })
    const notStored = { done: { state: 'stopped', why: expect.stringContaining('not stored yet') } }

    it('stop a plan that another replica has resumed, although it was stopped when this one last read it', async () => {
      const store = fakeStore()
      store.positions.set(OPERATION, stopped)
      const bed = await startBed(store)
      store.positions.set(OPERATION, resumed)
      expect(await bed.cutover.order(stop)).toMatchObject({ done: { state: 'stopped', version: 4 } })
      expect(store.entries).toMatchObject([{ event: 'stopped', from: 'running at 50 %' }])
    })

    it('count while the store is away, and are stored only if it then says otherwise', async () => {
      for (const [now, entries] of [
        [resumed, [{ event: 'stopped', by: 'ops' }]],
        [stopped, []],
      ] as const) {
        const store = fakeStore()
        store.positions.set(OPERATION, stopped)
        const bed = await startBed(store)
        store.is('away')
        expect(await bed.cutover.order(stop)).toMatchObject(notStored)
        store.positions.set(OPERATION, now)
        store.is('well')
        for (let times = 0; times < 2; times++) await bed.second()
        expect(percentOf(bed)).toBe(0)
        expect(store.entries).toMatchObject(entries)
        expect(store.positions.get(OPERATION)).toMatchObject({ state: 'stopped' })
      }
    })

    it('are refused if the store says that it is stopped already, and change nothing', async () => {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store)
      store.positions.set(OPERATION, { ...stopped, version: 2 })
      const message = 'it is already stopped: v1 answers 0 %'
      expect(await bed.cutover.order(stop)).toEqual({ refused: 'refused', message })
      for (let times = 0; times < 2; times++) await bed.second()
      expect(store.entries).toEqual([])
      expect(store.positions.get(OPERATION)).toMatchObject({ version: 2 })
    })

    it('act at once, before the store has answered, and no longer if it then says that their version is old', async () => {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store)
      store.positions.set(OPERATION, resumed)
      store.is('hanging')
      const ordered = bed.cutover.order({ ...stop, version: 1 })
      expect(percentOf(bed)).toBe(0)
      store.is('well')
      expect(await ordered).toMatchObject({ refused: 'stale', message: expect.stringContaining('running at 50 %') })
      for (let times = 0; times < 2; times++) await bed.second()
      expect(percentOf(bed)).toBe(50)
      expect(store.entries).toEqual([])
      // What others have decided meanwhile is no reason to refuse one of the present version.
      store.positions.set(OPERATION, { ...resumed, version: 4 })
      expect(await bed.cutover.order({ ...stop, version: 4 })).toMatchObject({ done: { version: 5 } })
    })

    it('compare a version with what is known here while the store is away', async () => {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store)
      store.is('away')
      expect(await bed.cutover.order({ ...stop, version: 7 })).toMatchObject({ refused: 'stale' })
      expect(percentOf(bed)).toBe(5)
      expect(await bed.cutover.order({ ...stop, version: 1 })).toMatchObject(notStored)
      expect(percentOf(bed)).toBe(0)
    })

    it('come after a brake of the same replica that is not stored yet', async () => {
      const store = fakeStore()
      store.positions.set(OPERATION, position())
      const bed = await startBed(store)
      store.is('away')
      answer(bed, 20, 'unavailable')
      await expect.poll(() => percentOf(bed)).toBe(0)
      expect(await bed.cutover.order(stop)).toMatchObject(notStored)
      // The plan is at 0 % for another reason, so only the order has something to stop.
      store.positions.set(OPERATION, position({ version: 3, state: 'waiting', percent: 0, step: 0 }))
      store.is('well')
      for (let times = 0; times < 2; times++) await bed.second()
      expect(store.entries).toMatchObject([{ event: 'stopped', by: 'ops' }])
    })
  })
})
