import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { closeAll } from '../support/clean-up.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'
import { openCallers, p99Of } from './callers.ts'
import { median } from './measure.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 8
/** Longer than the time-outs, so that each round with a database that hangs sees one. */
const SECONDS = 10
/** Of each caller between two calls: few enough calls that the machine is mostly idle, and every call is compared. */
const PAUSE_MS = 40

/**
 * Measures what a database that hangs (SIGSTOP) costs clients whose calls are all compared. Two gateways, each with a database of its
 * own, are called at the same time, so that whatever else the machine does concerns both; the database of each hangs in turn.
 */
export async function databaseAway(print: (line: string) => void): Promise<void> {
  if (!isInstalled) return print('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'database-away-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { shadow: 1 } } }))
  const peers = await startPeer('comparing-beside-peers.ts')
  const { v1, legacy } = peers.said as { readonly v1: string; readonly legacy: string }
  const start = async () => {
    const server = await startPostgres()
    const env = { ROLLOUT_FILE: rolloutFile, STATE_DB: server.url, TOKEN_KEY: Buffer.alloc(32, 7).toString('base64') }
    const gateway = await startGatewayProcess(v1, { LEGACY_BASE_URL: legacy, ...env })
    return { server, gateway, callers: await openCallers(gateway.url, PAUSE_MS) }
  }
  const both = [await start(), await start()] as const
  const rounds: { readonly well: readonly number[]; readonly away: readonly number[] }[] = []
  for (let round = -2; round < ROUNDS; round++) {
    const [away, well] = round % 2 === 0 ? both : ([both[1], both[0]] as const)
    away.server.pause()
    const [awayTimes, wellTimes] = await Promise.all([away.callers.times(SECONDS), well.callers.times(SECONDS)])
    if ((await stateOf(away.gateway.adminUrl)) !== 'degraded') print('  the gateway has not noticed')
    away.server.resume()
    while ((await stateOf(away.gateway.adminUrl)) !== 'ok') await wait(100)
    // The first two rounds warm up.
    if (round >= 0) rounds.push({ well: wellTimes, away: awayTimes })
  }
  const all = (name: 'well' | 'away'): readonly number[] => rounds.flatMap((round) => round[name]).sort((a, b) => a - b)
  const ratios = rounds.map(({ well, away }) => p99Of(away) / p99Of(well))
  print(
    `p99 of the clients, every call compared, ${ROUNDS} rounds of ${SECONDS} s, ${all('well').length} calls to each:`,
  )
  print(`  of all calls: well ${p99Of(all('well')).toFixed(2)} ms, hanging ${p99Of(all('away')).toFixed(2)} ms`)
  print(`  the slowest: well ${all('well').at(-1)?.toFixed(1)} ms, hanging ${all('away').at(-1)?.toFixed(1)} ms`)
  print(`  hanging over well: ${(p99Of(all('away')) / p99Of(all('well'))).toFixed(2)} times`)
  print(`  of each round: ${median(ratios).toFixed(2)} times (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`)
  for (const { gateway } of both) {
    const { queue, operations } = (await (await fetch(`${gateway.adminUrl}/experiments`)).json()) as {
      readonly queue: { readonly dropped: number }
      readonly operations: readonly { readonly totals: { readonly requests: number } }[]
    }
    const compared = operations.reduce((sum, { totals }) => sum + totals.requests, 0)
    print(`  ${compared} calls compared, ${queue.dropped} dropped`)
  }
  print(`  load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
  for (const { callers, gateway } of both) {
    await callers.stop()
    await gateway.stop()
  }
  await peers.stop()
  await closeAll()
  rmSync(folder, { recursive: true })
}

const stateOf = async (adminUrl: string): Promise<string> =>
  ((await (await fetch(`${adminUrl}/readyz`)).json()) as { readonly state: string }).state
