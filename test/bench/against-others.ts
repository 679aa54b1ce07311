import { median } from './measure.ts'
import { figuresOf, inTurn, LOAD, type Round, WARM_UP, WORKS } from './peers/in-turn.ts'
import type { Figures } from './peers/load.ts'
import { assertSameAnswers } from './peers/same-answers.ts'
import { GATEWAY, PASS_THROUGH, startPeers } from './peers/start-peers.ts'
import { startUpstream } from './peers/upstream.ts'
import { invoices } from './peers/work.ts'

/**
 * How often each side is started: of two processes with the same code one can be faster, depending on V8's compilation.
 */
const STARTS = 2
/** Rounds in each of the starts. */
const ROUNDS = 3
const ONE = { connections: 1, seconds: 2 }

/** Medians of all rounds. */
export interface PeerFigures extends Figures {
  readonly name: string
  /** The gateway's rate divided by the peer's: the median of the rounds' ratios. */
  readonly ratio: number
  /** The lowest and the highest ratio. */
  readonly range: readonly [number, number]
}

export interface AgainstOthers {
  readonly upstream: string
  /** How long each side was under load before it was measured. */
  readonly warmUpSeconds: number
  /** How many processes of each side were measured, one after the other. */
  readonly starts: number
  readonly skipped: readonly string[]
  readonly works: readonly { readonly name: string; readonly peers: readonly PeerFigures[] }[]
  /** The time that the gateway adds to the pass-through for 25 invoices, from one connection; ms. */
  readonly added: { readonly p50: number; readonly p99: number }
}

/** Compares the shipped gateway with others that do the same, each in one process, in turn. */
export async function againstOthers(print: (line: string) => void): Promise<AgainstOthers> {
  const upstream = await startUpstream()
  const warmUpSeconds = WARM_UP * LOAD.seconds
  try {
    print(`The upstream is ${upstream.kind}; ${LOAD.connections} connections, after ${warmUpSeconds} s each`)
    const starts: Start[] = []
    for (let start = 1; start <= STARTS; start++) {
      print(`  start ${start} of ${STARTS}, ${ROUNDS} rounds`)
      starts.push(await measureOnce(upstream.url))
    }
    const [{ names, skipped }] = starts as [Start]
    // Figures are identified by their position.
    if (starts.some((start) => `${start.names}` !== `${names}`)) throw new Error('not all sides started each time')
    for (const reason of skipped) print(`  skipped: ${reason}`)
    const works = WORKS.map(({ name }, work) => {
      const rounds = starts.flatMap(({ works }) => works[work] ?? [])
      return { name, peers: names.map((peer, index) => mediansOf(peer, index, rounds)) }
    })
    for (const { name, peers } of works) print([`  ${name}`, ...peers.map((peer) => `    ${lineOf(peer)}`)].join('\n'))
    const added = addedLatency(starts.flatMap(({ one }) => one))
    print(`  added to the pass-through at 1 connection: p50 ${added.p50.toFixed(3)} ms, p99 ${added.p99.toFixed(3)} ms`)
    return { upstream: upstream.kind, warmUpSeconds, starts: STARTS, skipped, works, added }
  } finally {
    await upstream.stop()
  }
}

/** The figures of one process of each side. */
interface Start {
  readonly names: readonly string[]
  readonly skipped: readonly string[]
  /** The rounds of each work. */
  readonly works: readonly (readonly Round[])[]
  /** 25 invoices from one connection, of the gateway and the pass-through. */
  readonly one: readonly Round[]
}

async function measureOnce(upstream: string): Promise<Start> {
  const { peers, skipped, stop } = await startPeers(upstream)
  try {
    await assertSameAnswers(peers, WORKS)
    const works: (readonly Round[])[] = []
    for (const work of WORKS) {
      works.push((await inTurn(peers, work, LOAD, WARM_UP + ROUNDS)).slice(WARM_UP))
    }
    const [gateway, passThrough] = peers
    if (gateway === undefined || passThrough?.name !== PASS_THROUGH) throw new Error('nothing to compare')
    const one = await inTurn([gateway, passThrough], invoices(25), ONE, ROUNDS)
    return { names: peers.map(({ name }) => name), skipped, works, one }
  } finally {
    await stop()
  }
}

function mediansOf(name: string, index: number, rounds: readonly Round[]): PeerFigures {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const ratios = rounds.map((round) => figuresOf(round, 0).rate / figuresOf(round, index).rate)
  return {
    name,
    rate: of((round) => figuresOf(round, index).rate),
    p50: of((round) => figuresOf(round, index).p50),
    p99: of((round) => figuresOf(round, index).p99),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
  }
}

/** The difference within each round, so that both sides saw the same machine. */
function addedLatency(rounds: readonly Round[]): AgainstOthers['added'] {
  const added = (quantile: 'p50' | 'p99'): number =>
    median(rounds.map((round) => figuresOf(round, 0)[quantile] - figuresOf(round, 1)[quantile]))
  return { p50: added('p50'), p99: added('p99') }
}

/** The gateway's rate as a multiple of the peer's: the median, and the range of the rounds. */
export function timesAsHigh({ ratio, range: [lowest, highest] }: PeerFigures): string {
  return `${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`
}

function lineOf(peer: PeerFigures): string {
  const { name, rate, p50, p99 } = peer
  const figures = `${rate.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`
  const compared = name === GATEWAY ? '' : `  the gateway's rate is ${timesAsHigh(peer)} times as high`
  return name.padEnd(13) + figures + compared
}
