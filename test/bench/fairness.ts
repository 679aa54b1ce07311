import { loadOf } from './overload.ts'
import type { RawFigures } from './peers/raw-load.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

/** A v1 that answers 1,280 calls a second through the gateway's 128 slots. Answers of 50 to 150 ms do not come in bursts. */
const SLOW_MS = ['100', '50-150']
const ROUNDS = 2
const NOISY = { from: '127.0.0.1', connections: 3_000, warmUpSeconds: 0 }
const POLITE = { from: '127.0.0.2', connections: 50, rate: 50, warmUpSeconds: 2, seconds: 20 }

/**
 * Measures how a client with 3,000 connections in a closed loop affects one that makes 50 calls a second. The control sends
 * the same load to the same v1 through another gateway: the difference is what sharing the gateway costs.
 */
export async function fairness(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  for (const milliseconds of SLOW_MS) {
    print(`  a v1 that takes ${milliseconds} ms`)
    const v1 = await startPeer('peers/slow-v1.ts', milliseconds)
    const v1Url = `http://127.0.0.1:${v1.said}`
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const checkout of other === undefined ? [undefined] : [undefined, other]) {
          print(`  ${checkout ?? 'this'}`)
          await oneRound(print, v1Url, checkout)
        }
      }
    } finally {
      await v1.stop()
    }
  }
}

async function oneRound(print: (line: string) => void, v1Url: string, checkout: string | undefined): Promise<void> {
  const [shared, separate] = [
    await startGatewayProcess(v1Url, {}, checkout),
    await startGatewayProcess(v1Url, {}, checkout),
  ]
  const alone = await loadOf({ url: shared.url, ...POLITE })
  print(`    alone:                      ${lineOf(alone)}`)
  for (const [name, noisyUrl] of [
    ['beside the noisy, elsewhere:', separate.url],
    ['beside the noisy:           ', shared.url],
  ] as const) {
    const noisy = loadOf({ url: noisyUrl, ...NOISY, seconds: POLITE.seconds + 8 })
    // Waits until the whole answer has arrived.
    const beside = await loadOf({ url: shared.url, ...POLITE, warmUpSeconds: 6 })
    const { goodput, refused } = await noisy
    print(`    ${name} ${lineOf(beside)}, p99 ${(beside.p99 / alone.p99).toFixed(2)} times`)
    print(`      the noisy one:            ${goodput.toFixed(0)} a second, ${refused.toFixed(0)} refused`)
  }
  await Promise.all([shared.stop(), separate.stop()])
}

function lineOf({ goodput, late, refused, failed, p50, p99 }: RawFigures): string {
  const success = (goodput + late) / (goodput + late + refused + failed)
  return `${(success * 100).toFixed(1)} % of its calls succeed, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
}
