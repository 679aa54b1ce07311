import { Histogram } from '../compare/tally/histogram.ts'
import type { SideAnswers } from './answered.ts'

export const NO_ANSWERS: SideAnswers = { calls: 0, failures: 0, times: [] }

/** Counts what one side answers. */
export class AnswerCounter {
  #calls = 0
  #failures = 0
  readonly #times = new Histogram()

  succeeded(milliseconds: number): void {
    this.#calls++
    this.#times.add(milliseconds)
  }

  failed(): void {
    this.#calls++
    this.#failures++
  }

  now(): SideAnswers {
    return { calls: this.#calls, failures: this.#failures, times: this.#times.counts() }
  }
}

/** Adds up what was counted in several places. */
export function sumOf(...all: readonly SideAnswers[]): SideAnswers {
  const times = new Histogram()
  for (const one of all) times.addAll(one.times)
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
    times: times.counts(),
  }
}

/** Takes a part out of a sum, which holds it; a sum that does not is never below zero. */
export function without(sum: SideAnswers, part: SideAnswers): SideAnswers {
  const times = new Map(part.times)
  return {
    calls: Math.max(sum.calls - part.calls, 0),
    failures: Math.max(sum.failures - part.failures, 0),
    times: sum.times.flatMap(([bucket, all]) => {
      const left = all - (times.get(bucket) ?? 0)
      return left > 0 ? [[bucket, left] as const] : []
    }),
  }
}
