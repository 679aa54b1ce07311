import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { closeAll } from '../support/clean-up.ts'
import { isInstalled, startPostgres } from '../support/postgres.ts'
import { openCallers, p99Of } from './callers.ts'
import { median } from './measure.ts'
import { startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 10
/** Longer than the time-outs, so that each round with a database that hangs sees one. */
const SECONDS = 7
/** About 130 calls a second: where processors are short, who gets them is what a p99 shows. */
const PAUSE_MS = 28

/** The times of all calls; ms. */
interface Round {
  readonly sqlite: readonly number[]
  readonly well: readonly number[]
  readonly away: readonly number[]
}

/**
 * Measures what a database that hangs (SIGSTOP) costs clients whose calls are all compared: the ratio of their p99 to that while the
 * database is well, in turn, and to that of a gateway that keeps its results in SQLite. The p99 is that of the calls of all rounds.
 */
export async function databaseAway(print: (line: string) => void): Promise<void> {
  if (!isInstalled) return print('PostgreSQL is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'database-away-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { '*': { shadow: 1 } } }))
  const server = await startPostgres()
  const peers = await startPeer('comparing-beside-peers.ts')
  const { v1, legacy } = peers.said as { readonly v1: string; readonly legacy: string }
  const start = async (stateDb: string) => {
    const env = { ROLLOUT_FILE: rolloutFile, STATE_DB: stateDb, TOKEN_KEY: Buffer.alloc(32, 7).toString('base64') }
    const gateway = await startGatewayProcess(v1, { LEGACY_BASE_URL: legacy, ...env })
    return { gateway, callers: await openCallers(gateway.url, PAUSE_MS) }
  }
  const sqlite = await start(join(folder, 'state.db'))
  const postgres = await start(server.url)
  const whileAway = async (): Promise<readonly number[]> => {
    server.pause()
    try {
      return await postgres.callers.times(SECONDS)
    } finally {
      if ((await stateOf(postgres.gateway.adminUrl)) !== 'degraded') print('  the gateway has not noticed')
      server.resume()
      while ((await stateOf(postgres.gateway.adminUrl)) !== 'ok') await wait(100)
    }
  }
  const rounds: Round[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const first = await sqlite.callers.times(SECONDS)
    // In turn, so that a machine that gets busier or idler favours neither.
    const early = round % 2 === 0 ? await whileAway() : undefined
    const well = await postgres.callers.times(SECONDS)
    const away = early ?? (await whileAway())
    // The first round warms up.
    if (round > 0) rounds.push({ sqlite: first, well, away })
  }
  const all = (name: keyof Round): number => p99Of(rounds.flatMap((round) => round[name]))
  const over = (one: keyof Round, other: keyof Round): string => {
    const ratios = rounds.map((round) => p99Of(round[one]) / p99Of(round[other]))
    const range = `rounds from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, median ${median(ratios).toFixed(2)}`
    return `${(all(one) / all(other)).toFixed(2)} times (${range})`
  }
  const calls = rounds.reduce((sum, { away }) => sum + away.length, 0)
  print(
    `p99 of the clients, every call compared, ${ROUNDS} rounds of ${SECONDS} s, ${calls} calls with a database that hangs:`,
  )
  print(
    `  SQLite ${all('sqlite').toFixed(2)} ms, PostgreSQL ${all('well').toFixed(2)} ms, PostgreSQL that hangs ${all('away').toFixed(2)} ms`,
  )
  print(`  that hangs over well: ${over('away', 'well')}`)
  print(`  PostgreSQL over SQLite: ${over('well', 'sqlite')}`)
  for (const [name, { gateway }] of Object.entries({ sqlite, postgres })) {
    const { queue, operations } = (await (await fetch(`${gateway.adminUrl}/experiments`)).json()) as {
      readonly queue: { readonly dropped: number }
      readonly operations: readonly { readonly totals: { readonly requests: number } }[]
    }
    const compared = operations.reduce((sum, { totals }) => sum + totals.requests, 0)
    print(`  ${name}: ${compared} calls compared, ${queue.dropped} dropped`)
  }
  print(`  load of the machine at the end: ${loadavg()[0]?.toFixed(1)}`)
  for (const { callers, gateway } of [sqlite, postgres]) {
    await callers.stop()
    await gateway.stop()
  }
  await peers.stop()
  await closeAll()
  rmSync(folder, { recursive: true })
}

const stateOf = async (adminUrl: string): Promise<string> =>
  ((await (await fetch(`${adminUrl}/readyz`)).json()) as { readonly state: string }).state
