import { describe, expect, it } from 'vitest'
import { RolloutError } from '../../../src/control-plane/rollout/rollout.ts'
import { parseAbout } from '../../support/rollout-setting.ts'

const BROWNOUT = {
  operations: ['*'],
  from: '2027-05-03T09:00:00+03:00',
  to: '2027-05-03T10:00:00+03:00',
  percent: 10,
  why: 'rehearsal of the switch-off',
}

const EARLIER = { ...BROWNOUT, from: '2027-05-02T09:00:00+03:00', to: '2027-05-02T10:00:00+03:00' }

const parse = (...brownouts: readonly object[]) => parseAbout(['invoice-list'], JSON.stringify({ brownouts }))

const problems = (...brownouts: readonly object[]): readonly string[] => problemsOf(() => parse(...brownouts))

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof RolloutError) return error.message.split('\n')
    throw error
  }
}

describe('a brownout', () => {
  it('applies to calls and answers with 503 by default', () => {
    expect(parse(BROWNOUT).brownouts).toEqual([{ ...BROWNOUT, of: 'calls', status: 503, except: [] }])
    const told = { ...BROWNOUT, operations: ['invoice-list'], of: 'clients', status: 410, except: ['big-shop'] }
    expect(parse(told).brownouts).toEqual([told])
    expect(parse().brownouts).toEqual([])
  })

  it('may last 24 hours, regardless of the offsets of its times', () => {
    expect(problems({ ...BROWNOUT, from: '2027-05-03T09:00:00+03:00', to: '2027-05-04T06:00:00Z' })).toEqual([])
  })

  it.each([
    [{ to: undefined }, 'to: a brownout needs an end, at most 24 hours after from'],
    [{ to: '2027-05-04T09:30:00+03:00' }, 'to: is 24.5 hours after from; a brownout lasts 24 hours at most'],
    [{ to: BROWNOUT.from }, 'to: must be after from'],
    [{ to: '2027-05-03T06:00:00Z' }, 'to: must be after from'],
    [{ to: 'never' }, 'to: must be a time with an offset'],
    [{ from: '2027-05-03T09:00:00' }, 'from: must be a time with an offset, for instance "2027-05-03T09:00:00+03:00"'],
    [{ operations: ['invoices'] }, 'operations.0: no such operation; expected one of invoice-list or *'],
    [{ operations: [] }, 'operations: names no operation'],
    [{ percent: 0 }, 'percent: must be a percentage, above 0 and up to 100'],
    [{ percent: 101 }, 'percent: must be a percentage'],
    [{ of: 'replicas' }, 'of: must be "calls" or "clients"'],
    [{ status: 404 }, 'status: must be 410, 500 or 503'],
    [{ except: ['shop', ''] }, 'except.1: must be ids of clients'],
    [{ why: undefined }, 'why: is missing; it must be a sentence that says why'],
    [{ until: '2027-05-03' }, 'no such member: until; expected one of operations, from, to'],
  ])('that is invalid is refused, with the place and what is expected: %j', (wrong, problem) => {
    expect(problems(EARLIER, { ...BROWNOUT, ...wrong })).toEqual([expect.stringContaining(problem)])
    expect(problems(EARLIER, { ...BROWNOUT, ...wrong })[0]).toMatch(/^brownouts\.1/)
  })

  it('is refused if an earlier one begins at the same time and has the same operations, however they are written', () => {
    const parseTwo = (...brownouts: readonly object[]) =>
      problemsOf(() => parseAbout(['a', 'b'], JSON.stringify({ brownouts })))
    const one = { ...BROWNOUT, operations: ['a', 'b'] }
    const other = { ...one, from: '2027-05-03T06:00:00.000Z', operations: ['b', 'a'], except: ['shop'], why: 'another' }
    const later = { ...one, from: '2027-05-03T09:00:01+03:00' }
    const fewer = { ...one, operations: ['a'] }
    expect(parseTwo(one, later, fewer, BROWNOUT)).toEqual([])
    const words = (at: number, before: number) =>
      `brownouts.${at}: has the same from and operations as brownouts.${before}, so their calls would count together; change one of them`
    expect(parseTwo(later, one, fewer, other, { ...later, operations: ['a', 'b', 'a'] })).toEqual([
      ...[words(3, 1), words(4, 0)],
    ])
    // Together with what is wrong with the brownouts themselves.
    expect(parseTwo(one, { ...other, status: 404 })).toEqual([
      expect.stringContaining('brownouts.1.status'),
      words(1, 0),
    ])
  })

  it('has all its mistakes reported at once', () => {
    expect(problems({ ...BROWNOUT, status: 200, to: '2027-05-13T10:00:00+03:00', why: '' })).toHaveLength(3)
  })
})
