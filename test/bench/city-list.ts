import { get } from 'node:http'
import { requestsPerSecond } from './load.ts'
import { median } from './measure.ts'
import { residentBytes, startGatewayProcess, startPeer } from './processes.ts'

const ROUNDS = 5
/**
 * How many lists are read in a round, each under another token: the first in new processes, the others in warm ones.
 */
const LISTS = 4

/** Measures 150,000 cities through the shipped gateway; each side in a process of its own, in turn. */
export async function cityList(print: (line: string) => void): Promise<void> {
  const upstream = await startPeer('city-list-peers.ts', 'upstream')
  const v1Url = `http://127.0.0.1:${upstream.said}`
  try {
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await coldRound(v1Url))
    const bytes = rounds[0]?.bytes ?? 0
    const grown = median(rounds.map((round) => round.grown))
    print(`150,000 cities in 750 pages, an answer of ${megabytes(bytes)}; medians of ${ROUNDS} rounds`)
    print(`  cold, in new processes:  ${compared(rounds.flatMap(({ pairs }) => pairs.slice(0, 1)))}`)
    print(`  cold, in warm processes: ${compared(rounds.flatMap(({ pairs }) => pairs.slice(1)))}`)
    print(`  memory for the first:    ${megabytes(grown)}, ${(grown / bytes).toFixed(2)} times the answer`)
    print(`  warm:                    ${await warm(v1Url, bytes)}`)
  } finally {
    await upstream.stop()
  }
}

/** In ms: a list through the gateway, and its pages fetched and parsed. */
interface Pair {
  readonly gateway: number
  readonly parsed: number
}

interface Round {
  readonly pairs: readonly Pair[]
  readonly bytes: number
  /** The largest growth of the gateway's memory for the first list, in bytes. */
  readonly grown: number
}

async function coldRound(v1Url: string): Promise<Round> {
  const parser = await startPeer('city-list-peers.ts', 'baseline', v1Url)
  const gateway = await startGatewayProcess(v1Url)
  try {
    const pairs: Pair[] = []
    let bytes = 0
    let grown = 0
    for (let list = 0; list < LISTS; list++) {
      const parsed = Number(await parser.ask('read'))
      const before = residentBytes(gateway.pid).now
      const answer = await readList(gateway.url, `token-${list}`)
      if (list === 0) grown = residentBytes(gateway.pid).most - before
      bytes = answer.bytes
      pairs.push({ gateway: answer.milliseconds, parsed })
    }
    return { pairs, bytes, grown }
  } finally {
    await Promise.all([parser.stop(), gateway.stop()])
  }
}

function compared(pairs: readonly Pair[]): string {
  const [ours, theirs] = [median(pairs.map(({ gateway }) => gateway)), median(pairs.map(({ parsed }) => parsed))]
  const ratio = median(pairs.map(({ gateway, parsed }) => gateway / parsed))
  return `${ours.toFixed(0)} ms, fetched and parsed ${theirs.toFixed(0)} ms: ${ratio.toFixed(2)} times as long`
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function warm(v1Url: string, bytes: number): Promise<string> {
  const gateway = await startGatewayProcess(v1Url)
  const constant = await startPeer('city-list-peers.ts', 'constant', `${bytes}`)
  const headers = { authorization: 'Bearer token' }
  try {
    await readList(gateway.url, 'token')
    const rates: { readonly ours: number; readonly theirs: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await requestsPerSecond(`${gateway.url}/city/all`, headers)
      const theirs = await requestsPerSecond(`http://127.0.0.1:${constant.said}/city/all`, headers)
      rates.push({ ours, theirs })
    }
    const [ours, theirs] = [median(rates.map((rate) => rate.ours)), median(rates.map((rate) => rate.theirs))]
    const ratio = median(rates.map((rate) => rate.ours / rate.theirs))
    return `${ours.toFixed(0)}/s, a constant buffer of Hono's ${theirs.toFixed(0)}/s: ${ratio.toFixed(2)} of its rate`
  } finally {
    await Promise.all([gateway.stop(), constant.stop()])
  }
}

/** One whole list, from the request to its last byte. */
function readList(url: string, token: string): Promise<{ readonly milliseconds: number; readonly bytes: number }> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const sent = get(`${url}/city/all`, { agent: false, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ milliseconds: performance.now() - started, bytes })
        else reject(new Error(`/city/all: ${answer.statusCode}`))
      })
    })
    sent.on('error', reject)
  })
}
