import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Callers, openCallers } from './callers.ts'
import { median } from './measure.ts'
import { residentBytes, startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 7
const SECONDS = 4
const MB = 1_000_000
/** What is made at once, beside the ordinary calls: five answers of 1 MB that differ in every row, and two that are worse. */
const COSTLY = ['rows', 'rows', 'rows', 'rows', 'rows', 'long name', 'nested']

/**
 * Measures what exchanges that are costly to compare cost ordinary calls: the ratio of their p99 to that of a gateway that
 * answers the same calls and does not compare the costly ones, in turn, and the memory.
 */
export async function comparingBeside(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'comparing-beside-'))
  const peers = await startPeer('comparing-beside-peers.ts')
  const { v1, legacy } = peers.said as { readonly v1: string; readonly legacy: string }
  const start = async (name: string, operations: object) => {
    const rolloutFile = join(folder, `${name}.json`)
    writeFileSync(rolloutFile, JSON.stringify({ operations }))
    const gateway = await startGatewayProcess(v1, { LEGACY_BASE_URL: legacy, ROLLOUT_FILE: rolloutFile })
    return { gateway, callers: await openCallers(gateway.url) }
  }
  const without = await start('without', {})
  const compared = await start('with', { price: { shadow: 1 } })
  const rounds: { readonly without: number; readonly compared: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] = [await p99Beside(without.callers), await p99Beside(compared.callers)]
    // The first round warms up.
    if (round > 0) rounds.push({ without: first, compared: second })
  }
  const memory = (side: typeof without): number => residentBytes(side.gateway.pid).most / MB
  const of = (side: 'without' | 'compared'): string => `${median(rounds.map((round) => round[side])).toFixed(1)} ms`
  const ratio = median(rounds.map((round) => round.compared / round.without))
  print(`p99 of ordinary calls beside costly comparisons: ${ratio.toFixed(2)} times that without`)
  print(`  without: ${of('without')}, with: ${of('compared')} (medians of ${ROUNDS} rounds)`)
  print(`  ratios: ${rounds.map((round) => (round.compared / round.without).toFixed(2)).join(', ')}`)
  print(
    `memory at its most: ${(memory(compared) - memory(without)).toFixed(0)} MB more (${memory(without).toFixed(0)} MB without)`,
  )
  const { operations } = (await (await fetch(`${compared.gateway.adminUrl}/experiments`)).json()) as {
    readonly operations: readonly { readonly operation: string; readonly totals: object; readonly unjudged: object }[]
  }
  for (const { operation, totals, unjudged } of operations) {
    print(`  ${operation}: ${JSON.stringify(totals)} ${JSON.stringify(unjudged)}`)
  }
  for (const one of [without.callers, compared.callers, without.gateway, compared.gateway, peers]) await one.stop()
  rmSync(folder, { recursive: true })
}

async function p99Beside(callers: Callers): Promise<number> {
  const costly = COSTLY.map((city) => callers.post('/api/calculate/price', JSON.stringify({ city })))
  const [p99] = await Promise.all([callers.p99(SECONDS), ...costly])
  // What is left of the comparisons must not reach into the next round.
  await wait(2_000)
  return p99
}
