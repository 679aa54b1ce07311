import { median } from './measure.ts'
import { WORKS } from './peers/in-turn.ts'
import { type Figures, load } from './peers/load.ts'
import { startUpstream } from './peers/upstream.ts'
import type { Work } from './peers/work.ts'
import { processorTime, startGatewayProcess } from './processes.ts'

/** How often each side is started. Most of the noise lies between starts: a process may stay a fifth slower than another of the same code. */
const STARTS = 10
/** Rounds in each of the starts, of a second for each side: on a machine that changes its pace, many short ones tell more than a few long ones. */
const ROUNDS = 8
/**
 * First rounds that are not counted: code is compiled meanwhile, in threads of the process, which takes longer the more code there is. After three
 * seconds an error took 1.08 to 1.16 times the processor time of `f83c43c`, after 14 seconds 1.03 to 1.06.
 */
const WARM_UP = 14
const LOAD = { connections: 16, seconds: 1 }

/** V8 grows the young generation of one process sooner than that of another, which then takes a third more for the same calls. */
const ALIKE = ['--min-semi-space-size=32', '--max-semi-space-size=32']

/** Figures of one load, with the processor time of the gateway for each call, in microseconds. */
interface Measured extends Figures {
  readonly processor: number
}

/** The figures of this checkout, then of the other. */
type Round = readonly [Measured, Measured]

/**
 * Compares the gateway with that of another checkout, which `BENCH_AGAINST` names, in one run: the ratios of rate and
 * latencies, and the processor time of a call, which other users of the machine disturb least. Both sides are measured
 * one right after the other, since machines change their pace. `GROUP` selects kinds of calls by a part of their name.
 */
export async function againstCheckout(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  if (other === undefined) return print('  skipped: BENCH_AGAINST names no other checkout, with its packages installed')
  const upstream = await startUpstream()
  const works = WORKS.filter(({ name }) => name.includes(process.env.GROUP ?? ''))
  /** The rounds of each kind of call, by start. */
  const rounds: Round[][][] = works.map(() => [])
  try {
    for (let start = 0; start < STARTS; start++) {
      const sides = await Promise.all(
        [undefined, other].map((folder) => startGatewayProcess(upstream.url, {}, folder, undefined, ALIKE)),
      )
      for (const [index, work] of works.entries()) {
        const ofStart: Round[] = []
        rounds[index]?.push(ofStart)
        for (let round = 0; round < WARM_UP + ROUNDS; round++) {
          // The sides take turns in being first.
          const isTurned = (start + round) % 2 === 1
          const measured: Measured[] = []
          for (const side of isTurned ? sides.toReversed() : sides) measured.push(await measure(side, work))
          if (isTurned) measured.reverse()
          if (round >= WARM_UP) ofStart.push(measured as unknown as Round)
        }
      }
      await Promise.all(sides.map((side) => side.stop()))
    }
  } finally {
    await upstream.stop()
  }
  print(
    `  medians of ${STARTS} starts, each of the median of ${ROUNDS} rounds; this : other, and the range of the starts`,
  )
  for (const [index, { name }] of works.entries()) print(`  ${name}: ${line(rounds[index] ?? [])}`)
}

async function measure({ pid, url }: { readonly pid: number; readonly url: string }, work: Work): Promise<Measured> {
  const before = processorTime(pid)
  const figures = await load(url, work, LOAD)
  return { ...figures, processor: (processorTime(pid) - before) / (figures.rate * LOAD.seconds) }
}

function line(starts: readonly (readonly Round[])[]): string {
  const ratio = (of: keyof Measured): string => {
    const all = starts.map((rounds) => median(rounds.map(([mine, other]) => mine[of] / other[of])))
    return `${median(all).toFixed(3)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`
  }
  const calls = median(starts.flat().map(([{ rate }]) => rate))
  const times = `p50 ${ratio('p50')}, p99 ${ratio('p99')}`
  return `processor ${ratio('processor')}, rate ${ratio('rate')}, ${calls.toFixed(0)} calls a second, ${times}`
}
