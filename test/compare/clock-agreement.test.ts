import { expect, it } from 'vitest'
import { agreed, type Clock, checkAgain, isTrusted, leapInWords } from '../../src/compare/tally/clock-agreement.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2027-03-04T12:00:00Z')

/** A process that checks its clock every minute for a while. */
function run(clock: Clock, fromMs: number, forMs: number): Clock {
  let now = clock
  for (let at = fromMs; at <= fromMs + forMs; at += 60_000) now = checkAgain(now, at, at === fromMs ? 0 : 60_000)
  return now
}

it('a clock that advances is trusted, even after a night without the gateway', () => {
  expect(isTrusted(run(agreed(NOW), NOW, 3 * DAY))).toBe(true)
  expect(isTrusted(checkAgain(agreed(NOW), NOW + 23 * HOUR, 0))).toBe(true)
})

it.each([
  [100, '100 days ahead of'],
  [-100, '100 days behind'],
])('a clock that leaps by %i days is trusted once the gateway has run with it for a day', (days, words) => {
  const leapt = checkAgain(agreed(NOW), NOW + days * DAY, 0)
  expect(isTrusted(leapt)).toBe(false)
  expect(leapInWords(leapt.leapMs)).toBe(words)
  const almost = run(leapt, NOW + days * DAY, 23 * HOUR)
  expect(isTrusted(almost)).toBe(false)
  expect(leapInWords(almost.leapMs)).toBe(words)
  expect(isTrusted(run(almost, almost.seenAt, HOUR))).toBe(true)
})

it('only time in which the gateway runs counts, across restarts', () => {
  const leapt = run(checkAgain(agreed(NOW), NOW + 100 * DAY, 0), NOW + 100 * DAY, 20 * HOUR)
  const restarted = checkAgain(leapt, leapt.seenAt + 10 * HOUR, 0)
  expect(isTrusted(restarted)).toBe(false)
  expect(isTrusted(run(restarted, restarted.seenAt, 4 * HOUR))).toBe(true)
})

it('a leap is noticed while the gateway runs; a process that was suspended for days does not count as one', () => {
  expect(isTrusted(checkAgain(agreed(NOW), NOW + 100 * DAY, 1_000))).toBe(false)
  expect(isTrusted(checkAgain(agreed(NOW), NOW + 3 * DAY, 3 * DAY))).toBe(true)
})

it('a clock that leaps there and back must agree for a day again', () => {
  const ahead = run(checkAgain(agreed(NOW), NOW + 100 * DAY, 0), NOW + 100 * DAY, 23 * HOUR)
  const back = checkAgain(ahead, NOW, 0)
  expect(isTrusted(run(back, NOW, 2 * HOUR))).toBe(false)
  expect(isTrusted(run(back, NOW, DAY))).toBe(true)
})
