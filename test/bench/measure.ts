import { getHeapStatistics } from 'node:v8'

export interface Comparison {
  /** Medians over all rounds, in milliseconds for one run. */
  readonly subjectMs: number
  readonly baselineMs: number
  /** The baseline's time divided by the subject's: the median of the rounds' ratios. */
  readonly ratio: number
}

/** Times two pieces of work in turn, so that both see the same machine. The first fifth of the rounds warms up. */
export function compare(subject: () => void, baseline: () => void, rounds = 50, runsPerRound = 40): Comparison {
  const measured = Array.from({ length: rounds }, () => ({
    subject: time(subject, runsPerRound),
    baseline: time(baseline, runsPerRound),
  })).slice(Math.ceil(rounds / 5))
  return {
    subjectMs: median(measured.map((round) => round.subject)),
    baselineMs: median(measured.map((round) => round.baseline)),
    ratio: median(measured.map((round) => round.baseline / round.subject)),
  }
}

function time(work: () => void, runs: number): number {
  const started = performance.now()
  for (let i = 0; i < runs; i++) work()
  return (performance.now() - started) / runs
}

export interface Allocation {
  /** Bytes on the JavaScript heap for one run. */
  readonly heap: number
  /** Bytes of buffers outside the heap for one run. */
  readonly buffers: number
}

/**
 * Measures what one run allocates. Nothing may be collected meanwhile, so it needs `--expose-gc` and a young generation
 * that holds all runs (`--max-semi-space-size`).
 */
export function allocated(work: () => void, runs = 10): Allocation {
  work()
  collect()
  const before = { heap: getHeapStatistics().used_heap_size, buffers: process.memoryUsage().arrayBuffers }
  for (let i = 0; i < runs; i++) work()
  const heap = getHeapStatistics().used_heap_size - before.heap
  return { heap: heap / runs, buffers: (process.memoryUsage().arrayBuffers - before.buffers) / runs }
}

function collect(): void {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  // Twice: the first finds unused buffers, and only the second subtracts them.
  globalThis.gc()
  globalThis.gc()
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}
