import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { waysToBeSlow } from '../support/slow-senders.ts'
import { median } from './measure.ts'
import { startUpstream } from './peers/upstream.ts'
import { invoices, TOKEN } from './peers/work.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

const SENDERS = 500
const ROUNDS = 5
const CALLS_PER_SECOND = 200
const SECONDS = 3
/** The warm-up of new processes. */
const WARM_UP_SECONDS = 2

/**
 * Measures how clients that send a byte a second affect the others: the same traffic with and without them, in turn.
 */
export async function slowSenders(print: (line: string) => void): Promise<void> {
  const upstream = await startUpstream()
  const gateway = await startGatewayProcess(upstream.url)
  try {
    await latencies(gateway.url, WARM_UP_SECONDS)
    print(`${CALLS_PER_SECOND} calls a second of 25 invoices, alone and beside ${SENDERS} that send a byte a second`)
    for (const [way, { where }] of waysToBeSlow('').entries()) {
      print(`  slow ${`${where}:`.padEnd(20)} ${await compared(gateway.url, way)}`)
    }
  } finally {
    await Promise.all([gateway.stop(), upstream.stop()])
  }
}

async function compared(url: string, way: number): Promise<string> {
  const rounds: { readonly alone: number; readonly beside: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const alone = percentile(await latencies(url, SECONDS), 0.99)
    const peer = await startPeer('slow-senders-peer.ts', url, `${SENDERS}`, `${way}`)
    const beside = percentile(await latencies(url, SECONDS), 0.99)
    const open = Number(await peer.ask('how many are open?'))
    await peer.stop()
    if (open !== SENDERS) throw new Error(`only ${open} of ${SENDERS} slow senders were there to the end`)
    rounds.push({ alone, beside })
  }
  const ratio = median(rounds.map(({ alone, beside }) => beside / alone))
  const [alone, beside] = [median(rounds.map((round) => round.alone)), median(rounds.map((round) => round.beside))]
  return `p99 ${alone.toFixed(1)} ms and ${beside.toFixed(1)} ms, ${ratio.toFixed(2)} times`
}

/** Returns the times of calls at a steady rate, made whether earlier ones have been answered or not; ms. */
async function latencies(url: string, seconds: number): Promise<readonly number[]> {
  const pool = new Pool(url, { connections: 32, pipelining: 1 })
  const { method, path, body = '' } = invoices(25)
  const headers = { authorization: TOKEN, 'content-type': 'application/json' }
  const call = async (dueAt: number): Promise<number> => {
    const answer = await pool.request({ method, path, headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return performance.now() - dueAt
  }
  const started = performance.now()
  const calls: Promise<number>[] = []
  while (calls.length < CALLS_PER_SECOND * seconds) {
    const dueAt = started + (calls.length / CALLS_PER_SECOND) * 1_000
    if (dueAt > performance.now()) await wait(dueAt - performance.now())
    calls.push(call(dueAt))
  }
  const taken = await Promise.all(calls)
  await pool.close()
  return taken
}

/** The value that this share of all does not exceed. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
