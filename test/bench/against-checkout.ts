import { median } from './measure.ts'
import { figuresOf, inTurn, LOAD, type Round, WARM_UP, WORKS } from './peers/in-turn.ts'
import { startUpstream } from './peers/upstream.ts'
import { startGatewayProcess } from './processes.ts'

/** Of each side; which one is started first changes. */
const STARTS = 4
/** In each of the starts. */
const ROUNDS = 3

/**
 * The gateway beside that of another checkout, which `BENCH_AGAINST` names, in one run: how many times the other's rate and
 * latencies this one's are. What is measured of one side is measured of the other at once, since machines change their pace.
 */
export async function againstCheckout(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  if (other === undefined) return print('  skipped: BENCH_AGAINST names no other checkout, with its packages installed')
  const upstream = await startUpstream()
  const rounds: Round[][] = WORKS.map(() => [])
  try {
    for (let start = 0; start < STARTS; start++) {
      const folders = [undefined, other]
      if (start % 2 === 1) folders.reverse()
      const sides = await Promise.all(folders.map((folder) => startGatewayProcess(upstream.url, {}, folder)))
      const peers = sides.map((side, index) => ({ ...side, name: folders[index] ?? 'this' }))
      for (const [index, work] of WORKS.entries()) {
        const measured = (await inTurn(peers, work, LOAD, WARM_UP + ROUNDS)).slice(WARM_UP)
        rounds[index]?.push(...measured.map((round) => (start % 2 === 1 ? round.toReversed() : round)))
      }
      await Promise.all(sides.map((side) => side.stop()))
    }
  } finally {
    await upstream.stop()
  }
  print(`  medians of ${STARTS * ROUNDS} rounds, this : other, and the range of the ratios`)
  for (const [index, { name }] of WORKS.entries()) print(`  ${name}: ${line(rounds[index] ?? [])}`)
}

function line(rounds: readonly Round[]): string {
  const ratios = (of: 'rate' | 'p50' | 'p99'): readonly number[] =>
    rounds.map((round) => figuresOf(round, 0)[of] / figuresOf(round, 1)[of])
  const rate = ratios('rate')
  const range = `${Math.min(...rate).toFixed(2)} to ${Math.max(...rate).toFixed(2)}`
  const calls = median(rounds.map((round) => figuresOf(round, 0).rate))
  const times = `p50 ${median(ratios('p50')).toFixed(3)}, p99 ${median(ratios('p99')).toFixed(3)}`
  return `rate ${median(rate).toFixed(3)} (${range}; ${calls.toFixed(0)} calls a second), ${times}`
}
