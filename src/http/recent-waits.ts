/** Counts the calls that have begun to wait lately, and still wait. All times are `performance.now()`. */
export class RecentWaits {
  readonly #periodMs: number
  /** The current period, and how many that began to wait in it and in the one before still wait. */
  #period = 0
  #inPeriod = 0
  #before = 0

  /** @param periodMs calls count for one to two of these; ms. */
  constructor(periodMs: number) {
    this.#periodMs = periodMs
  }

  /** A call begins to wait. Returns what `end` must be given. */
  begin(now: number): number {
    this.#turnTo(now)
    this.#inPeriod++
    return this.#period
  }

  /** The call no longer waits. */
  end(period: number, now: number): void {
    this.#turnTo(now)
    if (period === this.#period) this.#inPeriod--
    else if (period === this.#period - 1) this.#before--
  }

  count(now: number): number {
    this.#turnTo(now)
    return this.#inPeriod + this.#before
  }

  #turnTo(now: number): void {
    const period = Math.floor(now / this.#periodMs)
    if (period === this.#period) return
    this.#before = period === this.#period + 1 ? this.#inPeriod : 0
    this.#inPeriod = 0
    this.#period = period
  }
}
