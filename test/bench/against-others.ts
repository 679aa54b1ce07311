import { median } from './measure.ts'
import { type Figures, load } from './peers/load.ts'
import { assertSameAnswers } from './peers/same-answers.ts'
import { PASS_THROUGH, type Running, startPeers } from './peers/start-peers.ts'
import { startUpstream } from './peers/upstream.ts'
import { countryList, invoices, packageShipment, refusedImport, type Work } from './peers/work.ts'

const WORKS = [invoices(25), invoices(200), packageShipment, countryList, refusedImport]
const ROUNDS = 4
const LOAD = { connections: 16, seconds: 2 }
/** What is measured runs for days. The gateway's rate for a new kind of call grows for its first 8 s, while it is compiled. */
const WARM_UP = { connections: 16, seconds: 8 }
const ONE = { connections: 1, seconds: 2 }

/** Medians of all rounds. */
export interface PeerFigures extends Figures {
  readonly name: string
  /** How many times the peer's rate the gateway's is: the median of the rounds' ratios. */
  readonly ratio: number
}

export interface AgainstOthers {
  readonly upstream: string
  /** How long each side was under load before it was measured. */
  readonly warmUpSeconds: number
  readonly skipped: readonly string[]
  readonly works: readonly { readonly name: string; readonly peers: readonly PeerFigures[] }[]
  /** What the gateway adds to the pass-through for 25 invoices, from one connection; ms. */
  readonly added: { readonly p50: number; readonly p99: number }
}

/** The gateway as it is shipped beside others that do the same, each in one process, in turn. */
export async function againstOthers(print: (line: string) => void): Promise<AgainstOthers> {
  const upstream = await startUpstream()
  try {
    const { peers, skipped, stop } = await startPeers(upstream.url)
    try {
      print(
        `The upstream is ${upstream.kind}; ${LOAD.connections} connections; medians of ${ROUNDS} rounds, after ${WARM_UP.seconds} s each`,
      )
      for (const reason of skipped) print(`  skipped: ${reason}`)
      await assertSameAnswers(peers, WORKS)
      const works: { readonly name: string; readonly peers: readonly PeerFigures[] }[] = []
      for (const work of WORKS) {
        const compared = await compareRates(peers, work)
        works.push({ name: work.name, peers: compared })
        print(`  ${work.name}`)
        for (const peer of compared) print(`    ${lineOf(peer)}`)
      }
      const added = await addedLatency(peers, invoices(25))
      print(
        `  added to the pass-through at 1 connection: p50 ${added.p50.toFixed(3)} ms, p99 ${added.p99.toFixed(3)} ms`,
      )
      return { upstream: upstream.kind, warmUpSeconds: WARM_UP.seconds, skipped, works, added }
    } finally {
      await stop()
    }
  } finally {
    await upstream.stop()
  }
}

async function compareRates(peers: readonly Running[], work: Work): Promise<readonly PeerFigures[]> {
  for (const peer of peers) await load(peer.url, work, WARM_UP)
  const rounds = await inTurn(peers, work, LOAD)
  return peers.map(({ name }, index) => {
    const of = (pick: (round: readonly Figures[]) => number): number => median(rounds.map(pick))
    return {
      name,
      rate: of((round) => figuresOf(round, index).rate),
      p50: of((round) => figuresOf(round, index).p50),
      p99: of((round) => figuresOf(round, index).p99),
      ratio: of((round) => figuresOf(round, 0).rate / figuresOf(round, index).rate),
    }
  })
}

/** The difference within each round, so that both have seen the same machine. */
async function addedLatency([gateway, ...others]: readonly Running[], work: Work): Promise<AgainstOthers['added']> {
  const passThrough = others.find(({ name }) => name === PASS_THROUGH)
  if (gateway === undefined || passThrough === undefined) throw new Error('nothing to compare')
  const rounds = await inTurn([gateway, passThrough], work, ONE)
  const added = (quantile: 'p50' | 'p99'): number =>
    median(rounds.map((round) => figuresOf(round, 0)[quantile] - figuresOf(round, 1)[quantile]))
  return { p50: added('p50'), p99: added('p99') }
}

async function inTurn(
  peers: readonly Running[],
  work: Work,
  how: typeof LOAD,
): Promise<readonly (readonly Figures[])[]> {
  const rounds: Figures[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Figures[] = []
    for (const peer of peers) figures.push(await load(peer.url, work, how))
    rounds.push(figures)
  }
  return rounds
}

function figuresOf(round: readonly Figures[], index: number): Figures {
  const figures = round[index]
  if (figures === undefined) throw new Error('a round without figures')
  return figures
}

function lineOf({ name, rate, p50, p99, ratio }: PeerFigures): string {
  const figures = `${rate.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`
  return `${name.padEnd(13)}${figures}  the gateway's rate is ${ratio.toFixed(2)} times as high`
}
