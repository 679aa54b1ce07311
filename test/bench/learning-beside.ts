import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openCallers } from './callers.ts'
import { checkoutWith } from './checkout-with.ts'
import { median } from './measure.ts'
import { residentBytes, startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 6
const WARM_UP = 2
/** Calls of a round, all of which are compared. */
const CALLS = 60
/** How many calls are under way at once. */
const CALLERS = 2

/** Gateways that differ in a line of their code: the product, and what it is compared with. */
const SIDES = {
  'learning and trying': undefined,
  'without trying': [
    'src/control-plane/evidence/proposals/live-proposals.ts',
    '      judge()\n      return certain',
    '      return certain',
  ],
  'without learning': [
    'src/control-plane/evidence/ask-and-compare.ts',
    'learning: learningOf(operation)',
    'learning: undefined',
  ],
  'learning from both comparisons': [
    'src/control-plane/evidence/compare-answers.ts',
    'isAskedAgain: again !== undefined',
    'isAskedAgain: false',
  ],
} as const

/**
 * Measures the processor time that compared exchanges of 25 quotes take, of which ten members have other names at v1, with learning and
 * without.
 */
export async function learningBeside(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'learning-beside-'))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { price: { shadow: 1 } } }))
  const peers = await startPeer('learning-beside-peers.ts')
  const { v1, legacy } = peers.said as { readonly v1: string; readonly legacy: string }
  const names = Object.keys(SIDES) as (keyof typeof SIDES)[]
  const sides = await Promise.all(
    names.map(async (name) => {
      const change = SIDES[name]
      const checkout = change && checkoutWith(change[0], (text) => text.replace(change[1], change[2]))
      const gateway = await startGatewayProcess(
        v1,
        { LEGACY_BASE_URL: legacy, ROLLOUT_FILE: rolloutFile },
        checkout?.folder,
      )
      return { name, checkout, gateway, callers: await openCallers(gateway.url), rounds: [] as Times[] }
    }),
  )
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // The sides take turns in being first.
    for (let turn = 0; turn < sides.length; turn++) {
      const { gateway, callers, rounds } = sides[(round + turn) % sides.length] as (typeof sides)[number]
      const before = await stateOf(gateway)
      let next = 0
      const call = async (): Promise<void> => {
        while (next < CALLS) {
          await callers.post('/api/calculate/price', JSON.stringify({ city: `${round * CALLS + next++}` }))
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, call))
      let after = await stateOf(gateway)
      while (after.compared < before.compared + CALLS) {
        await wait(100)
        after = await stateOf(gateway)
      }
      if (round >= WARM_UP) rounds.push(timesBetween(before, after))
    }
  }
  const [product] = sides
  if (product === undefined) throw new Error('no side')
  print(`Processor time of a compared exchange of 25 quotes, with its call; medians of ${ROUNDS} rounds of ${CALLS}`)
  for (const { name, gateway, rounds } of sides) {
    const of = (part: keyof Times): string => `${median(rounds.map((times) => times[part])).toFixed(2)} ms`
    const ratio = median(product.rounds.map((times, at) => times.all / (rounds[at]?.all ?? Number.NaN)))
    const beside = name === product.name ? '' : `, the product takes ${ratio.toFixed(2)} times as much`
    const most = (residentBytes(gateway.pid).most / 1e6).toFixed(0)
    print(
      `  ${name}: ${of('all')} (control plane ${of('control')}, comparing ${of('comparing')})${beside}; ${most} MB at most`,
    )
  }
  for (const { name, gateway } of sides) print(`  ${name}: ${await proposedBy(gateway)}`)
  for (const { gateway, callers, checkout } of sides) {
    await callers.stop()
    await gateway.stop()
    checkout?.remove()
  }
  await peers.stop()
  rmSync(folder, { recursive: true })
}

/** Says what a gateway proposes. */
async function proposedBy({ adminUrl }: { readonly adminUrl: string }): Promise<string> {
  const { operations } = (await (await fetch(`${adminUrl}/proposals`)).json()) as {
    readonly operations: readonly {
      readonly proposals: readonly { readonly certainty: string }[]
      readonly trial: { readonly matched: number; readonly mismatched: number } | null
    }[]
  }
  return operations
    .map(({ proposals, trial }) => {
      const certain = proposals.filter(({ certainty }) => certainty === 'certain').length
      return `${certain} of ${proposals.length} lines certain, tried ${trial === null ? 0 : trial.matched + trial.mismatched} times`
    })
    .concat(operations.length === 0 ? ['nothing proposed'] : [])
    .join()
}

/** Of one exchange; ms. */
interface Times {
  readonly all: number
  readonly control: number
  readonly comparing: number
}

interface State {
  readonly compared: number
  readonly threads: ReadonlyMap<string, number>
}

async function stateOf({ pid, adminUrl }: { readonly pid: number; readonly adminUrl: string }): Promise<State> {
  const { operations } = (await (await fetch(`${adminUrl}/experiments`)).json()) as {
    readonly operations: readonly { readonly totals: Readonly<Record<string, number>> }[]
  }
  const compared = operations.flatMap(({ totals }) => Object.values(totals)).reduce((sum, count) => sum + count, 0)
  return { compared, threads: threadTimes(pid) }
}

/** Returns the processor time of each thread of a process, by id and name; ms. Linux only. */
function threadTimes(pid: number): ReadonlyMap<string, number> {
  const folder = `/proc/${pid}/task`
  return new Map(
    readdirSync(folder).map((id) => {
      const name = readFileSync(`${folder}/${id}/comm`, 'utf8').trim()
      return [`${id} ${name}`, Number(readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6]
    }),
  )
}

function timesBetween(before: State, after: State): Times {
  const each = [...after.threads].map(([thread, ms]) => [thread, ms - (before.threads.get(thread) ?? 0)] as const)
  const count = after.compared - before.compared
  const sum = (name: string): number =>
    each.filter(([thread]) => thread.includes(name)).reduce((all, [, ms]) => all + ms, 0) / count
  return { all: sum(''), control: sum('control'), comparing: sum('WorkerThread') }
}
