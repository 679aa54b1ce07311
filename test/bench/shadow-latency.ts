import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCallers } from './callers.ts'
import { median } from './measure.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 7
const SECONDS = 2

/**
 * Measures what it costs clients to compare every call with a legacy service that hangs: the ratio of their p99 to that
 * of a gateway that compares nothing, in turn.
 */
export async function shadowLatency(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shadow-latency-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { shadow: 1 } } }))
  const peers = await startPeer('shadow-latency-peers.ts')
  const { v1, legacy } = peers.said as { readonly v1: string; readonly legacy: string }
  const plain = await startGatewayProcess(v1, { LEGACY_BASE_URL: legacy })
  const shadowing = await startGatewayProcess(v1, { LEGACY_BASE_URL: legacy, ROLLOUT_FILE: rolloutFile })
  const clients = { plain: await openCallers(plain.url), shadowing: await openCallers(shadowing.url) }
  const rounds: { readonly plain: number; readonly shadowing: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] = [await clients.plain.p99(SECONDS), await clients.shadowing.p99(SECONDS)]
    // The first round warms up.
    if (round > 0) rounds.push({ plain: first, shadowing: second })
  }
  const { queue } = (await (await fetch(`${shadowing.adminUrl}/experiments`)).json()) as { queue: { dropped: number } }
  const of = (side: 'plain' | 'shadowing'): string => `${median(rounds.map((round) => round[side])).toFixed(2)} ms`
  const ratio = median(rounds.map((round) => round.shadowing / round.plain))
  print(`p99 of the clients, while legacy hangs: ${ratio.toFixed(2)} times that without shadow`)
  print(
    `  without: ${of('plain')}, with: ${of('shadowing')} (medians of ${ROUNDS} rounds; ${queue.dropped} comparisons dropped)`,
  )
  for (const one of [clients.plain, clients.shadowing, plain, shadowing, peers]) await one.stop()
  rmSync(folder, { recursive: true })
}
