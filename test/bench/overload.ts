import { setTimeout as wait } from 'node:timers/promises'
import type { RawFigures, RawLoad } from './peers/raw-load.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

/** Slots for reads (`src/data-plane/upstream/guard.ts`). */
const SLOTS = 128
const SLOW_MS = 100
/** The calls a second that v1 answers with this time for each call and this many slots. */
const CAPACITY = (SLOTS * 1_000) / SLOW_MS

const CLOSED = [1_000, 4_000, 10_000]
const OPEN = [1, 2, 4, 10]
/** Calls without a free connection fail. */
const MOST_CONNECTIONS = 9_000
/** About as long as the gateway keeps a call. Further connections would stay silent, and be closed for that. */
const KEPT_SECONDS = 5
const TIMES = { warmUpSeconds: 4, seconds: 6 }

/**
 * Measures what the gateway still answers when v1 or the gateway is overloaded: closed loops of clients that call again
 * as soon as they have any answer, and open loops at multiples of the capacity. `BENCH_AGAINST` names another checkout,
 * which is measured in turn.
 */
export async function overload(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  for (const [name, checkout] of [
    ['this', undefined] as const,
    ...(other === undefined ? [] : [[other, other] as const]),
  ]) {
    for (const delayMs of [0, SLOW_MS]) {
      print(
        `  ${name}, ${delayMs === 0 ? 'a v1 that answers at once' : `a v1 that answers ${CAPACITY} calls a second`}`,
      )
      const loads = delayMs === 0 ? closedLoops : [...closedLoops, ...openLoops]
      const figures = await measured(delayMs, checkout, loads)
      const peak = Math.max(...figures.map(({ goodput }) => goodput))
      for (const [index, { name }] of loads.entries())
        print(`    ${name}: ${lineOf(figures[index] as RawFigures, peak)}`)
    }
  }
}

interface NamedLoad extends Pick<RawLoad, 'connections' | 'rate'> {
  readonly name: string
}

const closedLoops: readonly NamedLoad[] = CLOSED.map((connections) => ({
  name: `${connections} connections`.padEnd(18),
  connections,
}))

const openLoops: readonly NamedLoad[] = OPEN.map((times) => ({
  name: `${times} x ${CAPACITY} a second`.padEnd(18),
  connections: Math.min(times * CAPACITY * KEPT_SECONDS, MOST_CONNECTIONS),
  rate: times * CAPACITY,
}))

async function measured(
  delayMs: number,
  checkout: string | undefined,
  loads: readonly NamedLoad[],
): Promise<readonly RawFigures[]> {
  const v1 = await startPeer('peers/slow-v1.ts', `${delayMs}`)
  const gateway = await startGatewayProcess(`http://127.0.0.1:${v1.said}`, {}, checkout)
  const figures: RawFigures[] = []
  try {
    for (const [index, { connections, rate }] of loads.entries()) {
      // From an address of its own: opening connections takes long while the ports of the last load are in use, and connections that stay silent are closed.
      const from = `127.0.0.${index + 1}`
      figures.push(await loadOf({ url: gateway.url, from, connections, rate, ...TIMES }))
      // Waits for the calls under way to end.
      await wait(2_000)
    }
  } finally {
    await Promise.all([gateway.stop(), v1.stop()])
  }
  return figures
}

/** Generates load in a process of its own. */
export async function loadOf(load: RawLoad): Promise<RawFigures> {
  const { said, stop } = await startPeer('peers/raw-load.ts', JSON.stringify(load))
  await stop()
  return said as RawFigures
}

export function lineOf({ goodput, p50, p99, most, late, refused, failed }: RawFigures, peak: number): string {
  const useful = `${goodput.toFixed(0).padStart(5)} a second within 2 s (${((goodput / peak) * 100).toFixed(0)} % of the peak)`
  const times = `p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)}, most ${most.toFixed(0)} ms`
  return `${useful}, ${times}, late ${late.toFixed(0)}, refused ${refused.toFixed(0)}, failed ${failed.toFixed(0)} a second`
}
