import { describe, expect, it } from 'vitest'
import type { Subject } from '../../../src/control-plane/evidence/comparable.ts'
import { parseRollout, RolloutError } from '../../../src/control-plane/rollout/rollout.ts'
import { aRead } from '../../support/rollout-setting.ts'

const SUBJECTS: readonly Subject[] = [
  ...[aRead('invoice-list'), aRead('country-list')],
  { ...aRead('document'), effect: 'write' },
  { ...aRead('auth'), login: { client: 'a', secret: 'b', token: 'c' } },
  { ...aRead('charge-list'), v1: undefined },
]
const THERE = {
  operations: SUBJECTS,
  hasLegacy: true,
  hasCopy: false,
  isKept: true,
  canSign: true,
  serve: 'v1' as const,
}
const PLAN = { steps: [1, 5, 100] }

const parse = (operations: unknown, there: object = {}) =>
  parseRollout(JSON.stringify({ operations }), { ...THERE, ...there })
/** Returns the parsed plan of a read that the legacy service answers. */
const planOf = (plan: unknown) => parse({ 'invoice-list': { serve: 'legacy', plan } }).of('invoice-list').plan

function problems(operations: unknown, there: object = {}): readonly string[] {
  try {
    parse(operations, there)
    return []
  } catch (error) {
    if (error instanceof RolloutError) return error.message.split('\n')
    throw error
  }
}
const problemsOfPlan = (plan: unknown) => problems({ 'invoice-list': { serve: 'legacy', plan } })

describe('a plan', () => {
  it('needs only its steps', () => {
    expect(planOf(PLAN)).toEqual({
      ...{ steps: [1, 5, 100], calls: 100, minutes: 10, approve: [], window: undefined },
      ...{ brake: { errors: 0.01, slowdown: 2 }, withoutVerdict: undefined },
    })
  })

  it('says how long each step lasts, what is approved, when, and what brakes', () => {
    const window = { days: 'Mon-Thu', from: '09:00', to: '16:00', zone: 'Europe/Istanbul' }
    const all = { steps: [0.5, 100], calls: 500, minutes: 60, approve: [100], window, brake: { slowdown: 3 } }
    expect(planOf(all)).toEqual({
      ...{ ...all, window: { ...window, days: [1, 2, 3, 4] } },
      ...{ brake: { errors: 0.01, slowdown: 3 }, withoutVerdict: undefined },
    })
  })

  it.each([
    ['Mon', [1]],
    ['Mon,Wed,Fri', [1, 3, 5]],
    ['Fri-Mon', [1, 5, 6, 7]],
    ['Mon-Tue, Sun', [1, 2, 7]],
    ['Sun,Sun', [7]],
  ])('is carried out on the days %s', (days, numbers) => {
    expect(planOf({ ...PLAN, window: { days, from: '22:00', to: '04:00', zone: 'UTC' } })?.window?.days).toEqual(
      numbers,
    )
  })

  const window = { days: 'Mon', from: '09:00', to: '16:00', zone: 'UTC' }
  it.each([
    [{}, 'steps: is missing; it must be percentages that grow'],
    [{ steps: [] }, 'steps: must be percentages that grow, for instance [1, 5, 25, 50, 100]; the list is empty'],
    [{ steps: [5, 25, 25] }, 'steps: must be percentages that grow, .* here 25 follows 25'],
    [{ steps: [5, 1] }, 'steps: .* here 1 follows 5'],
    [{ steps: [0, 5] }, 'steps.0: must be a percentage of clients, above 0 and up to 100'],
    [{ steps: [5, 101] }, 'steps.1: must be a percentage'],
    [{ ...PLAN, calls: 0 }, 'calls: must be a whole number of calls, at least 1'],
    [{ ...PLAN, minutes: -1 }, 'minutes: must be a number of minutes'],
    [{ ...PLAN, approve: [50] }, 'approve: not among the steps: 50'],
    [{ ...PLAN, withoutVerdict: ' ' }, 'withoutVerdict: must be a sentence that says why'],
    [{ ...PLAN, brake: { errors: 1 } }, 'brake.errors: must be a share of calls, from 0 to below 1'],
    [{ ...PLAN, brake: { slowdown: 0 } }, 'brake.slowdown: must be a number above 0'],
    [
      { ...PLAN, gate: { url: 'ftp://gate.example/key' } },
      'gate.url: must be an http or https URL .* for instance https://chat.example.com/hooks/key$',
    ],
    [{ ...PLAN, step: 1 }, 'no such member: step; expected one of steps, calls, minutes'],
    [{ ...PLAN, window: { ...window, zone: undefined } }, 'window.zone: is missing; it must be an IANA time zone'],
    [{ ...PLAN, window: { ...window, zone: 'Europe/Ankara' } }, 'window.zone: .* got "Europe/Ankara"'],
    [{ ...PLAN, window: { ...window, zone: '+03:00' } }, 'window.zone: .* got "\\+03:00"'],
    [{ ...PLAN, window: { ...window, days: 'weekdays' } }, 'window.days: .* "Mon-Thu" .* got "weekdays"'],
    [{ ...PLAN, window: { ...window, days: 'Mon-Tue-Wed' } }, 'window.days'],
    [{ ...PLAN, window: { ...window, from: '9:00' } }, 'window.from: must be a time of day, .*, and not "9:00"'],
    [{ ...PLAN, window: { ...window, to: '24:00' } }, 'window.to: must be a time of day'],
    [{ ...PLAN, window: { ...window, to: '09:00' } }, 'window.to: must be another time than from'],
    [100, 'must be an object; its members can be steps, calls'],
  ])('that is invalid is refused, with the place and what is expected: %j', (plan, problem) => {
    expect(problemsOfPlan(plan)).toEqual([expect.stringMatching(problem.replaceAll(/[[\]]/g, '\\$&'))])
    expect(problemsOfPlan(plan)[0]).toMatch(/^operations\.invoice-list\.plan/)
  })

  it('has all its mistakes reported at once, together with those of others', () => {
    const wrong = { steps: [5, 1], approve: [3], minutes: 'ten', window: { ...window, zone: 'Nowhere', to: '09:00' } }
    const found = problems({ 'invoice-list': { serve: 'v1', plan: wrong }, document: { v1Percent: 5 }, nothing: {} })
    expect(found).toHaveLength(8)
  })
})

describe('a plan that cannot be carried out is refused', () => {
  const cannot = (own: object, there: object = {}, id = 'invoice-list') =>
    problems({ [id]: { serve: 'legacy', ...own } }, there)

  it('if v1 answers everything, by the operation’s own serve, by that of *, or by default', () => {
    for (const member of [{ plan: PLAN }, { v1Percent: 5 }]) {
      const name = Object.keys(member)[0]
      const place = `operations.invoice-list.${name}: has no effect: `
      expect(cannot({ ...member, serve: 'v1' })).toEqual([expect.stringContaining(`${place}serve is "v1", so`)])
      expect(problems({ '*': { serve: 'v1' }, 'invoice-list': member })).toEqual([
        expect.stringContaining(`${place}serve of * is "v1"`),
      ])
      expect(problems({ 'invoice-list': member })).toEqual([expect.stringContaining('add "serve": "legacy"')])
      expect(problems({ '*': member })).toEqual([expect.stringContaining(`operations.*.${name}: has no effect`)])
      expect(problems({ '*': { ...member, serve: 'legacy' } })).toEqual([])
    }
  })

  it('but * needs no serve if each operation has its own', () => {
    const own = Object.fromEntries(SUBJECTS.map(({ id }) => [id, { serve: 'legacy' }]))
    expect(problems({ '*': { v1Percent: 5 }, ...own })).toEqual([])
    const { auth: _, ...others } = own
    expect(problems({ '*': { v1Percent: 5 }, ...others })).toHaveLength(1)
  })

  it('together with v1Percent', () => {
    expect(cannot({ plan: PLAN, v1Percent: 5 })).toEqual([
      'operations.invoice-list.v1Percent: the plan says which percentage of clients v1 answers; remove v1Percent or the plan',
    ])
  })

  it('without a STATE_DB that keeps anything', () => {
    expect(cannot({ plan: PLAN }, { isKept: false })).toEqual([
      expect.stringMatching(/^operations\.invoice-list\.plan: .* STATE_DB keeps nothing; name a file or a PostgreSQL/),
    ])
  })

  it('without a legacy service', () => {
    expect(cannot({ plan: PLAN }, { hasLegacy: false })).toEqual([expect.stringContaining('LEGACY_BASE_URL')])
  })

  it('for an operation that v1 does not have; nor can v1 answer it', () => {
    expect(cannot({ plan: PLAN }, {}, 'charge-list')).toEqual([expect.stringContaining('v1 has no equivalent')])
    expect(problems({ 'charge-list': { serve: 'v1' } })).toEqual([
      'operations.charge-list.serve: v1 has no equivalent of it; the legacy service answers it: remove serve',
    ])
    expect(problems({ 'charge-list': { mayChoose: ['a'] } })).toEqual([
      'operations.charge-list.mayChoose: v1 has no equivalent of it, so there is no choice; remove mayChoose',
    ])
    expect(problems({ '*': { serve: 'v1', mayChoose: '*' } })).toEqual([])
  })

  it('for a write that no copy gets; one that a copy gets can be proven', () => {
    const hasCopy = { hasCopy: true }
    expect(cannot({ plan: PLAN, shadowWrites: 'copy' }, hasCopy, 'document')).toEqual([])
    const all = { serve: 'legacy', plan: PLAN, shadowWrites: 'copy' }
    expect(parse({ '*': all }, hasCopy).of('document').plan).toBeDefined()
    expect(
      parse({ '*': all, document: { shadowWrites: 'translate-only' } }, hasCopy).of('document').plan,
    ).toBeUndefined()
    expect(cannot({ plan: PLAN, shadowWrites: 'translate-only' }, hasCopy, 'document')).toEqual([
      expect.stringContaining('a write is compared only with a copy of v1'),
    ])
  })

  it('that sends writes to a copy, if there is none', () => {
    expect(cannot({ shadowWrites: 'copy' }, {}, 'document')).toEqual([
      'operations.document.shadowWrites: needs a copy of v1, but V1_COPY_BASE_URL is not set',
    ])
  })

  it('for a write without a reason, and not for a login, whose answers are compared', () => {
    expect(cannot({ plan: PLAN }, {}, 'document')).toEqual([expect.stringContaining('"withoutVerdict": "…"')])
    expect(cannot({ plan: { ...PLAN, withoutVerdict: 'tried with three clients' } }, {}, 'document')).toEqual([])
    expect(cannot({ plan: PLAN }, {}, 'auth')).toEqual([])
  })
})

describe('the plan of *', () => {
  const all = { serve: 'legacy', plan: PLAN }
  const steps = (operations: object, id: string) => parse({ '*': all, ...operations }).of(id).plan?.steps

  it('is the plan of each operation that has none and that can be proven', () => {
    expect(steps({}, 'invoice-list')).toEqual([1, 5, 100])
    expect(steps({ 'invoice-list': { plan: { steps: [50] } } }, 'invoice-list')).toEqual([50])
    expect(SUBJECTS.map(({ id }) => steps({}, id)).map((each) => each !== undefined)).toEqual([
      ...[true, true, false, true, false],
    ])
  })

  it('is also the plan of writes if it gives a reason', () => {
    const operations = { '*': { ...all, plan: { ...PLAN, withoutVerdict: 'tried with three clients' } } }
    expect(SUBJECTS.map(({ id }) => parse(operations).of(id).plan !== undefined)).toEqual([
      ...[true, true, true, true, false],
    ])
  })

  it('is replaced by an operation’s own serve v1 or v1Percent', () => {
    expect(steps({ 'invoice-list': { serve: 'v1' } }, 'invoice-list')).toBeUndefined()
    expect(steps({ 'invoice-list': { v1Percent: 0 } }, 'invoice-list')).toBeUndefined()
    expect(steps({ 'invoice-list': { serve: 'legacy' } }, 'invoice-list')).toEqual([1, 5, 100])
  })

  it('is not mixed with v1Percent: the operation’s own plan replaces that of *', () => {
    const rollout = parse({ '*': { serve: 'legacy', v1Percent: 25 }, 'invoice-list': { plan: PLAN } })
    expect(rollout.of('invoice-list')).toMatchObject({ v1Percent: 0, plan: { steps: [1, 5, 100] } })
    expect(rollout.of('country-list')).toMatchObject({ v1Percent: 25, plan: undefined })
  })
})
