import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOpen, nextOpening } from '../../../../src/control-plane/cutover/decide/window.ts'
import type { Window } from '../../../../src/control-plane/rollout/plan.ts'

const window = (given: Partial<Window> = {}): Window => ({
  ...{ days: [1, 2, 3, 4], from: '09:00', to: '16:00', zone: 'Europe/Istanbul' },
  ...given,
})
const opensAt = (given: Partial<Window>, now: string): string | undefined =>
  nextOpening(window(given), new Date(now))?.toISOString()

describe('a window is open', () => {
  it.each([
    ['from its beginning', {}, '2027-03-15T06:00:00Z', true],
    ['not before', {}, '2027-03-15T05:59:59Z', false],
    ['to its end', {}, '2027-03-15T12:59:59Z', true],
    ['and no longer', {}, '2027-03-15T13:00:00Z', false],
    ['on its days only', {}, '2027-03-12T08:00:00Z', false],
    ['over midnight, before', { days: [5], from: '22:00', to: '04:00' }, '2027-03-12T20:00:00Z', true],
    ['over midnight, after', { days: [5], from: '22:00', to: '04:00' }, '2027-03-13T00:59:00Z', true],
    ['not in the morning of its own day', { days: [5], from: '22:00', to: '04:00' }, '2027-03-12T00:00:00Z', false],
    ['over midnight from Sunday to Monday', { days: [7], from: '22:00', to: '04:00' }, '2027-03-14T22:00:00Z', true],
    [
      'west of Greenwich',
      { zone: 'America/New_York', days: [7], from: '20:00', to: '21:00' },
      '2027-03-15T00:30:00Z',
      true,
    ],
    [
      'where clocks differ by quarters',
      { zone: 'Asia/Kathmandu', from: '09:00', to: '09:01' },
      '2027-03-15T03:15:00Z',
      true,
    ],
    ['to midnight', { days: [1], from: '23:00', to: '00:00', zone: 'UTC' }, '2027-03-15T23:59:00Z', true],
    ['not from midnight', { days: [1], from: '23:00', to: '00:00', zone: 'UTC' }, '2027-03-16T00:00:00Z', false],
    ['all day long', { days: [1], from: '00:00', to: '00:00', zone: 'UTC' }, '2027-03-15T13:00:00Z', true],
  ] as const)('%s', (_, given, now, open) => {
    expect(isOpen(window(given), new Date(now))).toBe(open)
  })
})

describe('a window opens next', () => {
  const berlin = { zone: 'Europe/Berlin', days: [7], from: '02:30', to: '03:30' }
  it.each([
    ['now, if it is open', {}, '2027-03-15T08:00:30.000Z', '2027-03-15T08:00:30.000Z'],
    ['later today', {}, '2027-03-15T01:23:45.000Z', '2027-03-15T06:00:00.000Z'],
    ['on Monday', {}, '2027-03-11T13:00:00.000Z', '2027-03-15T06:00:00.000Z'],
    ['in a week', { days: [1] }, '2027-03-15T13:00:00.000Z', '2027-03-22T06:00:00.000Z'],
    ['when clocks are put forward over its opening', berlin, '2027-03-27T12:00:00.000Z', '2027-03-28T01:00:00.000Z'],
    [
      'a week later, when they are put over all of it',
      { ...berlin, to: '03:00' },
      '2027-03-27T12:00:00.000Z',
      '2027-04-04T00:30:00.000Z',
    ],
    ['when clocks are put back, first', berlin, '2027-10-30T12:00:00.000Z', '2027-10-31T00:30:00.000Z'],
    ['and again', { ...berlin, to: '03:00' }, '2027-10-31T01:10:00.000Z', '2027-10-31T01:30:00.000Z'],
    ['by summer time', { zone: 'America/New_York', days: [1] }, '2027-03-14T00:00:00.000Z', '2027-03-15T13:00:00.000Z'],
  ] as const)('%s', (_, given, now, opens) => {
    expect(opensAt(given, now)).toBe(opens)
  })

  it('never, if it has no day', () => {
    expect(opensAt({ days: [] }, '2027-03-15T08:00:00.000Z')).toBeUndefined()
  })
})

it('whatever the window: it is open when it opens, and was not before', () => {
  const time = fc
    .tuple(fc.nat(23), fc.nat(59))
    .map((parts) => parts.map((part) => `${part}`.padStart(2, '0')).join(':'))
  const windows = fc.record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: time,
    to: time,
    zone: fc.constantFrom(
      'UTC',
      'Europe/Istanbul',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ),
  })
  const times = fc.date({ min: new Date('2027-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(windows, times, (window, now) => {
      const opens = nextOpening(window, now)
      if (opens === undefined || !isOpen(window, opens)) return false
      if (opens.getTime() === now.getTime()) return true
      for (let before = opens.getTime() - 60_000; before >= now.getTime(); before -= 7 * 60_000) {
        if (isOpen(window, new Date(before))) return false
      }
      return nextOpening(window, new Date(opens.getTime() - 1))?.getTime() === opens.getTime()
    }),
    { numRuns: 60, seed: 21 },
  )
})
