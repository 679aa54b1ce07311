import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../../../src/control-plane/cutover/cutover-store.ts'
import { tellEvidence } from '../../../../src/control-plane/cutover/run/telling.ts'
import type { Judged } from '../../../../src/control-plane/cutover/run/verdicts.ts'
import { StateError } from '../../../../src/control-plane/store/state-error.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { type FakeStore, fakeStore } from '../support/fake-store.ts'

const LINEAGE = { mapping: 'm', v1: null, legacy: null }

const judgedAs = (verdict: Judged['verdict'], ...paths: readonly string[]): Judged => ({
  ...{ operation: 'price', verdict, missing: ['units 1 of 299'], lineage: LINEAGE },
  differences: paths.map((path) => ({ kind: 'changed', path, ignored: null, requests: 2 })) as never,
})

/** Tells of one operation from one process. A second of its clock lasts one millisecond, and passes only when a test says so. */
function startTelling(store: FakeStore, process: string) {
  let seconds = 0
  let looks = 0
  const sent: NonNullable<Decision['message']>[] = []
  const own = store.of(process)
  const bed = {
    judged: judgedAs('insufficient data') as Judged | undefined,
    isWhole: true,
    /** Whether the store carries out what it is told, but the answer is lost. */
    losesAnswers: false,
    sent,
    telling: undefined as unknown as ReturnType<typeof tellEvidence>,
    /** Lets a time pass, and waits until the process has looked again. */
    async pass(howMany: number) {
      seconds += howMany
      const before = looks
      await expect.poll(() => looks, { interval: 5 }).toBeGreaterThan(before + 2)
    },
  }
  let id = 0
  bed.telling = tellEvidence({
    store: {
      ...own,
      async lease() {
        looks++
        return own.lease()
      },
      async decide(decision, lease) {
        const outcome = await own.decide(decision, lease)
        if (bed.losesAnswers) throw new StateError('the answer is lost', true)
        if (decision.message !== undefined) sent.push(decision.message)
        return outcome
      },
    },
    operations: ['price'],
    judge: async () => ({ all: bed.judged === undefined ? [] : [bed.judged], isWhole: bed.isWhole }),
    newId: () => `${process}-${++id}`,
    monotonic: () => seconds,
    log: pino({ enabled: false }),
    everyMs: 1,
  })
  closeAtEnd(() => bed.telling.close())
  return bed
}

const told = ({ entries }: FakeStore) => entries.map(({ event, from, to }) => `${event}: ${from} → ${to}`)

describe('the audit and its messages tell', () => {
  it('each change of a verdict, with what it rests on', async () => {
    const store = fakeStore()
    const one = startTelling(store, 'one')
    await one.pass(60)
    expect(store.entries).toEqual([])
    one.judged = judgedAs('ready')
    await one.pass(60)
    one.judged = undefined
    await one.pass(60)
    one.judged = judgedAs('not ready', 'a')
    await one.pass(60)
    expect(told(store)).toEqual([
      'verdict-changed: insufficient data → ready',
      'verdict-changed: ready → insufficient data',
      'verdict-changed: insufficient data → not ready',
      'difference-new: 0 differences → 1 difference',
    ])
    expect(one.sent.map(({ text }) => text)).toEqual([
      'price: verdict-changed, from insufficient data to ready: all that is demanded was seen, and no difference counts',
      'price: verdict-changed, from ready to insufficient data: missing: no call was compared',
      'price: verdict-changed, from insufficient data to not ready: differences count: changed a',
      'price: difference-new, from 0 differences to 1 difference: answers differ in a way that counts and was not told before: changed a',
    ])
  })

  it('a flood of new differences in one message, and none of them again', async () => {
    const store = fakeStore()
    const one = startTelling(store, 'one')
    const paths = Array.from({ length: 300 }, (_, at) => `p${at}`)
    one.judged = judgedAs('not ready', ...paths)
    await one.pass(60)
    one.judged = judgedAs('not ready')
    await one.pass(60)
    one.judged = judgedAs('not ready', ...paths, 'another')
    await one.pass(60)
    const differences = one.sent.filter(({ event }) => event === 'difference-new')
    expect(differences.map(({ why }) => String(why).split(': ')[1])).toEqual([
      'changed p0; changed p1; changed p2; and 297 more',
      'changed another',
    ])
  })

  it('at most once a minute of an operation and a kind', async () => {
    const store = fakeStore()
    const one = startTelling(store, 'one')
    one.judged = judgedAs('ready')
    await one.pass(1)
    one.judged = judgedAs('insufficient data')
    await one.pass(1)
    expect(told(store)).toEqual(['verdict-changed: insufficient data → ready'])
    await one.pass(58)
    expect(told(store)).toHaveLength(1)
    await one.pass(1)
    expect(told(store)).toHaveLength(2)
  })

  it('each once, although several processes see it, and one goes on where another ended', async () => {
    const store = fakeStore()
    store.holder = 'one'
    const [one, other] = [startTelling(store, 'one'), startTelling(store, 'other')]
    for (const bed of [one, other]) bed.judged = judgedAs('not ready', 'a')
    await Promise.all([one.pass(60), other.pass(60)])
    await one.telling.close()
    store.holder = 'other'
    other.judged = judgedAs('not ready', 'a', 'b')
    await other.pass(60)
    expect(told(store)).toEqual([
      'verdict-changed: insufficient data → not ready',
      'difference-new: 0 differences → 1 difference',
      'difference-new: 1 difference → 2 differences',
    ])
    expect([one.sent, other.sent].map(({ length }) => length)).toEqual([2, 1])
  })

  it('nothing twice when the store has it and its answer is lost', async () => {
    const store = fakeStore()
    const one = startTelling(store, 'one')
    one.losesAnswers = true
    one.judged = judgedAs('ready')
    await one.pass(60)
    one.losesAnswers = false
    await one.pass(60)
    expect(told(store)).toEqual(['verdict-changed: insufficient data → ready'])
  })

  it('nothing while the results of other processes cannot be read', async () => {
    const store = fakeStore()
    const one = startTelling(store, 'one')
    one.isWhole = false
    one.judged = judgedAs('ready')
    await one.pass(60)
    expect(store.entries).toEqual([])
    one.isWhole = true
    await one.pass(1)
    expect(told(store)).toHaveLength(1)
  })
})
