import { expect, it } from 'vitest'
import { exceedsNoise } from '../../src/compare/tally/noise.ts'

it.each([
  ['as many as the control’s own', 5, 5, 100, false],
  ['fewer than the control’s own', 1, 50, 100, false],
  ['none at all', 0, 0, 100, false],
  ['where the control has none', 1, 0, 100, true],
  ['20 % more, and no more', 3, 2, 100, false],
  ['20 % more, and no more, of many', 60, 40, 10_000, false],
  ['over 20 % more', 61, 40, 10_000, true],
  ['over 20 % more', 4, 2, 100, true],
  ['0.03 % of all, and no more', 3, 0, 10_000, false],
  ['over 0.03 % of all', 4, 0, 10_000, true],
  ['over 0.03 % of all, noise taken off', 5, 2, 10_000, false],
])('differences at a path: %s (%i against %i of %i)', (_, raw, noise, total, counts) => {
  expect(exceedsNoise({ raw, noise, total })).toBe(counts)
})
