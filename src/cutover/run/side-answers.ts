import { Histogram } from '../../common/histogram.ts'
import type { SideAnswers } from '../answered.ts'

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
