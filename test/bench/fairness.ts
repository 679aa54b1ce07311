import { closedLoop } from './closed-loop.ts'
import { loadOf } from './overload.ts'
import type { RawFigures, RawLoad } from './peers/raw-load.ts'
import { freePort, startGatewayProcess, startPeer } from './processes.ts'
import { startHaproxy } from './restarts/balancers.ts'

interface Case {
  readonly name: string
  /** What v1 takes for a call, in ms. */
  readonly v1Ms: string
  /** Variables of the gateway. */
  readonly env?: Readonly<Record<string, string>>
  readonly noisy: Pick<RawLoad, 'connections' | 'bodyBytes' | 'path'>
  readonly polite: Pick<RawLoad, 'rate' | 'bodyBytes'>
  /** Whether HAProxy leaves connections unlimited. */
  readonly isUnlimited?: boolean
}

const MANY_CALLS = { noisy: { connections: 3_000 }, polite: { rate: 50 } }

/** With 100 ms, v1 answers 1,280 calls a second through the gateway's 128 slots. Answers of 50 to 150 ms do not come in bursts. */
const CASES: readonly Case[] = [
  { name: 'many calls, a v1 that takes 100 ms', v1Ms: '100', ...MANY_CALLS },
  { name: 'many calls, a v1 that takes 50 to 150 ms', v1Ms: '50-150', ...MANY_CALLS },
  {
    name: 'many calls, a v1 that takes 100 ms, without a limit of connections',
    v1Ms: '100',
    isUnlimited: true,
    ...MANY_CALLS,
  },
  {
    ...{ name: 'many calls that the gateway refuses itself, a v1 that takes 50 to 150 ms', v1Ms: '50-150' },
    ...{ noisy: { connections: 3_000, path: '/api/nothing' }, polite: { rate: 50 } },
  },
  {
    name: 'bodies of 200 KB that use up MEMORY_MB=100, a v1 that takes 500 ms',
    v1Ms: '500',
    env: { MEMORY_MB: '100' },
    noisy: { connections: 1_000, bodyBytes: 200_000 },
    polite: { rate: 10, bodyBytes: 30_000 },
  },
  {
    name: 'bodies of 1 MB that keep the thread for large bodies busy, a v1 that takes 100 ms',
    v1Ms: '100',
    env: { MEMORY_MB: '4000' },
    noisy: { connections: 500, bodyBytes: 1_000_000 },
    polite: { rate: 10, bodyBytes: 300_000 },
  },
  {
    name: 'bodies of 250 KB that keep the event loop busy, a v1 that takes 100 ms',
    v1Ms: '100',
    env: { MEMORY_MB: '4000' },
    noisy: { connections: 1_000, bodyBytes: 250_000 },
    polite: { rate: 50 },
  },
]
const ROUNDS = 2
const SECONDS = Number(process.env.BENCH_SECONDS ?? 40)
/** Until the noisy client's connections are open, its first refusals are through, and V8 has compiled what they need. */
const SETTLING_SECONDS = 20
const NOISY = { warmUpSeconds: 0, seconds: SETTLING_SECONDS + SECONDS + 2 }
const POLITE = { from: '127.0.0.2', connections: 50, warmUpSeconds: 2, seconds: SECONDS }

/**
 * Measures how a client that uses all it can get, in a closed loop, affects one that makes a few calls a second. Each gateway is behind an
 * HAProxy of its own, as `docs/behind-a-balancer.md` recommends. The control sends the same load to the same v1 through another gateway:
 * the difference is what sharing the gateway costs. `GROUP` selects cases by a part of their name.
 */
export async function fairness(print: (line: string) => void): Promise<void> {
  const other = process.env.BENCH_AGAINST
  for (const one of CASES.filter(({ name }) => name.includes(process.env.GROUP ?? ''))) {
    print(`  ${one.name}`)
    const v1 = await startPeer('peers/slow-v1.ts', one.v1Ms)
    const v1Url = `http://127.0.0.1:${v1.said}`
    try {
      for (let round = 0; round < ROUNDS; round++) {
        for (const checkout of other === undefined ? [undefined] : [undefined, other]) {
          print(`  ${checkout ?? 'this'}`)
          await oneRound(print, one, v1Url, checkout)
        }
      }
    } finally {
      await v1.stop()
    }
  }
}

async function oneRound(
  print: (line: string) => void,
  { env, noisy, polite, isUnlimited = false }: Case,
  v1Url: string,
  checkout: string | undefined,
): Promise<void> {
  const [shared, separate] = [
    await startBehindHaproxy(v1Url, env, checkout, !isUnlimited),
    await startBehindHaproxy(v1Url, env, checkout, !isUnlimited),
  ]
  const alone = await loadOf({ url: shared.url, ...POLITE, ...polite })
  print(`    alone:                      ${lineOf(alone)}`)
  for (const [name, noisyUrl] of [
    ['beside the noisy, elsewhere:', separate.url],
    ['beside the noisy:           ', shared.url],
  ] as const) {
    const load = closedLoop({ url: noisyUrl, ...NOISY, ...noisy })
    // Waits until the whole answer has arrived.
    const beside = await loadOf({ url: shared.url, ...POLITE, ...polite, warmUpSeconds: SETTLING_SECONDS })
    const { succeeded, refused } = await load
    print(`    ${name} ${lineOf(beside)}, p99 ${(beside.p99 / alone.p99).toFixed(2)} times`)
    print(`      the noisy one:            ${succeeded.toFixed(0)} a second, ${refused.toFixed(0)} refused`)
  }
  await Promise.all([shared.stop(), separate.stop()])
}

async function startBehindHaproxy(
  v1Url: string,
  env: Readonly<Record<string, string>> | undefined,
  checkout: string | undefined,
  isLimiting: boolean,
) {
  const ports = [await freePort(), await freePort()] as const
  const gateway = await startGatewayProcess(v1Url, { TRUSTED_PROXIES: '127.0.0.1', ...env }, checkout, ports)
  const haproxy = await startHaproxy(ports, isLimiting)
  return {
    url: haproxy.url,
    async stop() {
      await haproxy.stop()
      await gateway.stop()
    },
  }
}

function lineOf({ goodput, late, refused, failed, p50, p99 }: RawFigures): string {
  const success = (goodput + late) / (goodput + late + refused + failed)
  return `${(success * 100).toFixed(1)} % of its calls succeed, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
}
