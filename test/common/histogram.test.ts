import { expect, it } from 'vitest'
import { Histogram } from '../../src/common/histogram.ts'

const histogramOf = (times: Iterable<number>): Histogram => {
  const histogram = new Histogram()
  for (const time of times) histogram.add(time)
  return histogram
}

it('gives quantiles within 5 % for times of any length', () => {
  for (const scale of [0.2, 1, 60, 1_000]) {
    const { p50, p95, p99 } = histogramOf(Array.from({ length: 1_000 }, (_, at) => (at + 1) * scale)).quantiles() ?? {}
    expect((p50 ?? 0) / (500 * scale)).toBeCloseTo(1, 1)
    expect(Math.abs((p95 ?? 0) / (950 * scale) - 1)).toBeLessThan(0.05)
    expect(Math.abs((p99 ?? 0) / (990 * scale) - 1)).toBeLessThan(0.05)
  }
})

it('is the same for any split of the times into parts', () => {
  const times = Array.from({ length: 500 }, (_, at) => 1.013 ** at)
  const merged = new Histogram()
  for (const part of [1, 0]) merged.addAll(histogramOf(times.filter((_, at) => at % 2 === part)).counts())
  expect(merged.counts()).toEqual(histogramOf(times).counts())
})

it('has no quantiles if nothing was counted', () => {
  expect(new Histogram().quantiles()).toBeNull()
})
