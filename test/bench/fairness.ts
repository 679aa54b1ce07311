import { loadOf } from './overload.ts'
import type { RawFigures } from './peers/raw-load.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

/** A v1 that answers 1,280 calls a second through the gateway's 128 slots. */
const SLOW_MS = 100
const ROUNDS = 2
const NOISY = { from: '127.0.0.1', connections: 3_000, warmUpSeconds: 0 }
const POLITE = { from: '127.0.0.2', connections: 50, rate: 50, warmUpSeconds: 2, seconds: 20 }

/** Measures how a client with 3,000 connections in a closed loop affects one that makes 50 calls a second. */
export async function fairness(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  const v1 = await startPeer('peers/slow-v1.ts', `${SLOW_MS}`)
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const checkout of other === undefined ? [undefined] : [undefined, other]) {
        const { url, stop } = await startGatewayProcess(`http://127.0.0.1:${v1.said}`, {}, checkout)
        const alone = await loadOf({ url, ...POLITE })
        const noisy = loadOf({ url, ...NOISY, seconds: POLITE.seconds + 8 })
        // Waits until the whole answer has arrived.
        const beside = await loadOf({ url, ...POLITE, warmUpSeconds: 6 })
        const { goodput, refused } = await noisy
        await stop()
        print(`  ${checkout ?? 'this'}`)
        print(`    alone:            ${lineOf(alone)}`)
        print(`    beside the noisy: ${lineOf(beside)}, p99 ${(beside.p99 / alone.p99).toFixed(2)} times`)
        print(`    the noisy one:    ${goodput.toFixed(0)} a second, ${refused.toFixed(0)} refused`)
      }
    }
  } finally {
    await v1.stop()
  }
}

function lineOf({ goodput, late, refused, failed, p50, p99 }: RawFigures): string {
  const success = (goodput + late) / (goodput + late + refused + failed)
  return `${(success * 100).toFixed(1)} % of its calls succeed, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
}
