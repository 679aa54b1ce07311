import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkoutWith } from './checkout-with.ts'
import { median } from './measure.ts'
import { load } from './peers/load.ts'
import { runNginx } from './peers/run-nginx.ts'
import { invoice } from './peers/v1-answers.ts'
import { invoices, type Work } from './peers/work.ts'
import { processorTime, startGatewayProcess } from './processes.ts'

const LINES = 200
const ROWS = 25
/** How many of the corrected members v1's rows have. */
const MEMBERS = [10, LINES]
/** As in `against-checkout`: most noise lies between starts, and the first rounds compile. */
const STARTS = 3
const ROUNDS = 6
const WARM_UP = 6
const LOAD = { connections: 16, seconds: 1 }
const ALIKE = ['--min-semi-space-size=32', '--max-semi-space-size=32']

/** Processor time of a call, in microseconds, in the order of `SIDES`. */
type Round = readonly number[]
const SIDES = ['lines of MAPPING_FILE', 'the same lines in the shipped mapping', 'no such lines'] as const

/** Measures calls of pages of invoices through gateways that have 200 lines in MAPPING_FILE, have them in the shipped mapping, or have none. */
export async function correctedGateways(print: (line: string) => void): Promise<void> {
  const names = Array.from({ length: LINES }, (_, line) => [`old${line}`, `new${line}`] as const)
  const folder = mkdtempSync(join(tmpdir(), 'corrected-gateways-'))
  const mappingFile = join(folder, 'mapping.json')
  const response = Object.fromEntries(names.map(([old, now]) => [`data[].${old}`, { from: `items[].${now}` }]))
  writeFileSync(mappingFile, JSON.stringify({ operations: { 'invoice-list': { response } } }))
  const shipped = checkoutWith('mappings/index.ts', (text) => withLines(text, names))
  const upstream = await startV1()
  const rounds: Round[][][] = MEMBERS.map(() => [])
  try {
    for (let start = 0; start < STARTS; start++) {
      const gateways = await Promise.all([
        startGatewayProcess(upstream.url, { MAPPING_FILE: mappingFile }, undefined, undefined, ALIKE),
        startGatewayProcess(upstream.url, {}, shipped.folder, undefined, ALIKE),
        startGatewayProcess(upstream.url, {}, undefined, undefined, ALIKE),
      ])
      for (const [index, members] of MEMBERS.entries()) {
        const ofStart: Round[] = []
        rounds[index]?.push(ofStart)
        for (let round = 0; round < WARM_UP + ROUNDS; round++) {
          const measured: number[] = []
          // The sides take turns in being first.
          for (let turn = 0; turn < gateways.length; turn++) {
            const side = (start + round + turn) % gateways.length
            measured[side] = await processorOf(gateways[side] as Gateway, workOf(members))
          }
          if (round >= WARM_UP) ofStart.push(measured)
        }
      }
      await Promise.all(gateways.map((gateway) => gateway.stop()))
    }
  } finally {
    await upstream.stop()
    shipped.remove()
    rmSync(folder, { recursive: true })
  }
  print(
    `Processor time of a call of ${ROWS} invoices, through gateways; medians of ${STARTS} starts of ${ROUNDS} rounds, and their range`,
  )
  for (const [index, members] of MEMBERS.entries()) {
    const starts = rounds[index] ?? []
    const times = SIDES.map(
      (name, side) => `${name} ${median(starts.flat().map((round) => round[side] as number)).toFixed(0)} µs`,
    )
    print(`  rows with ${members} of the members of ${LINES} lines: ${times.join(', ')}`)
    print(`    MAPPING_FILE : shipped mapping ${ratio(starts, 1)}, MAPPING_FILE : no such lines ${ratio(starts, 2)}`)
  }
}

type Gateway = { readonly pid: number; readonly url: string }

async function processorOf({ pid, url }: Gateway, work: Work): Promise<number> {
  const before = processorTime(pid)
  const { rate } = await load(url, work, LOAD)
  return (processorTime(pid) - before) / (rate * LOAD.seconds)
}

function ratio(starts: readonly (readonly Round[])[], to: number): string {
  const all = starts.map((rounds) => median(rounds.map((round) => (round[0] as number) / (round[to] as number))))
  return `${median(all).toFixed(3)} (${Math.min(...all).toFixed(3)} to ${Math.max(...all).toFixed(3)})`
}

/** States the lines in the mapping itself. */
const withLines = (text: string, names: readonly (readonly [string, string])[]): string =>
  text.replace('export const operations: readonly Operation[] =', 'const asShipped: readonly Operation[] =').concat(`
import { from } from '../src/mapping/shape.ts'
const lines = Object.fromEntries(${JSON.stringify(names)}.map(([old = '', now = '']) => [old, from(now)]))
export const operations: readonly Operation[] = asShipped.map((operation) => {
  const { response } = operation
  if (operation.id !== 'invoice-list' || response.kind !== 'page') return operation
  const shape = { ...response.rows.shape, rules: { ...response.rows.shape.rules, ...lines } }
  return { ...operation, response: { ...response, rows: { ...response.rows, shape } } }
})
`)

/** The search says how many members a row has. */
const workOf = (members: number): Work => {
  const work = invoices(ROWS)
  const body = JSON.stringify({ ...(JSON.parse(work.body ?? '{}') as object), search: `${members}` })
  return { ...work, name: `rows of ${members} more members`, body }
}

function startV1(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const meta = { page: 1, perPage: ROWS, total: ROWS, pageCount: 1 }
  const texts = MEMBERS.map((members) => {
    const row = (number: number) =>
      Object.fromEntries(Array.from({ length: members }, (_, line) => [`new${line}`, number * LINES + line]))
    const items = Array.from({ length: ROWS }, (_, index) => ({ ...invoice(index + 1), ...row(index) }))
    return [`page-${members}`, JSON.stringify({ success: true, message: '', items, meta })] as const
  })
  return runNginx({
    files: new Map(texts),
    http: (port) => `
      open_file_cache max=100; open_file_cache_valid 1h; sendfile off; output_buffers 1 2m;
      server { listen 127.0.0.1:${port} backlog=4096;
        location = /api/v1/finance/invoices { error_page 405 =200 /page-$arg_search; return 405; }
        location / { internal; } }`,
  })
}
