/** The factor between neighbouring buckets: quantiles are right within 5 %. */
const GROWTH = 1.1
/** The shortest time; shorter ones are counted as this; ms. */
const LEAST_MS = 0.1

const bucketOf = (milliseconds: number): number =>
  Math.round(Math.log(Math.max(milliseconds, LEAST_MS)) / Math.log(GROWTH))

/** Returns the time that a bucket stands for; ms. */
export const timeOf = (bucket: number): number => GROWTH ** bucket

/** Times of one side; ms. */
export interface Quantiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Counts times in buckets that grow with them (C. Masson, J. Rim and H. Lee, DDSketch, 2019). Histograms can be added up. */
export class Histogram {
  readonly #buckets = new Map<number, number>()

  add(milliseconds: number): void {
    this.#count(bucketOf(milliseconds), 1)
  }

  /** Adds the counts of another histogram. */
  addAll(counts: Iterable<readonly [bucket: number, times: number]>): void {
    for (const [bucket, times] of counts) this.#count(bucket, times)
  }

  /** Returns how often each bucket was counted, by bucket. */
  counts(): readonly (readonly [bucket: number, times: number])[] {
    return [...this.#buckets].sort(([a], [b]) => a - b)
  }

  /** Returns null if nothing was counted. */
  quantiles(): Quantiles | null {
    const counts = this.counts()
    const total = counts.reduce((sum, [, times]) => sum + times, 0)
    if (total === 0) return null
    const at = (share: number): number => {
      let left = Math.ceil(total * share)
      for (const [bucket, times] of counts) {
        left -= times
        if (left <= 0) return rounded(timeOf(bucket))
      }
      return 0
    }
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
  }

  #count(bucket: number, times: number): void {
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + times)
  }
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

/** Returns the counts of one time. */
export const oneTime = (milliseconds: number): readonly (readonly [bucket: number, times: number])[] => [
  [bucketOf(milliseconds), 1],
]
