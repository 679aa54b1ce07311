import { type Figures, type Load, load } from './peers/load.ts'
import { startUpstream } from './peers/upstream.ts'
import { invoices, LIST_LENGTHS, priceOf, type Work } from './peers/work.ts'
import { residentBytes, startGatewayProcess, startPeer } from './processes.ts'

const BODY_BYTES = [1_000, 10_000, 100_000, 1_000_000]
const CLIENTS = [1, 10, 100, 1_000]
const REPLICAS = [1, 2]
const SECONDS = 3

/** One measurement at one size, of a gateway that did nothing else. */
export interface Point extends Figures {
  readonly at: number
  /** The gateway's largest size, in bytes. */
  readonly memory: number
}

export interface Growth {
  /** By rows, from one connection. */
  readonly lists: readonly Point[]
  /** By the bytes of a price request, from one connection. */
  readonly bodies: readonly Point[]
  /** By connections, for 25 invoices. */
  readonly clients: readonly Point[]
  /** By processes behind one port, for 25 invoices from 64 connections. */
  readonly replicas: readonly (Figures & { readonly at: number })[]
}

/** Measures how time and memory grow with the size of answers, the size of requests, and the number of clients. */
export async function growth(print: (line: string) => void): Promise<Growth> {
  const { url, stop } = await startUpstream()
  try {
    const one = (work: Work) => ({ work, connections: 1 })
    const measure = async (title: string, sizes: readonly number[], what: (size: number) => Asked) => {
      print(`  ${title}`)
      const points: Point[] = []
      for (const at of sizes) points.push(await measureOne(url, at, what(at)))
      for (const point of points) print(`    ${lineOf(point)}, at most ${(point.memory / 1e6).toFixed(0)} MB`)
      return points
    }
    const lists = await measure('rows of a list', LIST_LENGTHS, (rows) => one(invoices(rows)))
    const bodies = await measure('bytes of a price request', BODY_BYTES, (bytes) => one(priceOf(bytes)))
    const clients = await measure('clients', CLIENTS, (connections) => ({ work: invoices(25), connections }))
    print('  replicas behind one port, by node:cluster')
    const replicas: (Figures & { readonly at: number })[] = []
    for (const at of REPLICAS) {
      const figures = await measureReplicas(url, at)
      replicas.push({ at, ...figures })
      print(`    ${lineOf({ at, ...figures })}`)
    }
    return { lists, bodies, clients, replicas }
  } finally {
    await stop()
  }
}

interface Asked {
  readonly work: Work
  readonly connections: number
}

async function measureOne(v1: string, at: number, { work, connections }: Asked): Promise<Point> {
  const gateway = await startGatewayProcess(v1)
  try {
    const figures = await warmedUp(gateway.url, work, { connections, seconds: SECONDS })
    return { at, ...figures, memory: residentBytes(gateway.pid).most }
  } finally {
    await gateway.stop()
  }
}

async function measureReplicas(v1: string, count: number): Promise<Figures> {
  const replicas = await startPeer('peers/replicas.ts', `${count}`, v1)
  try {
    return await warmedUp(`http://127.0.0.1:${replicas.said}`, invoices(25), { connections: 64, seconds: SECONDS })
  } finally {
    await replicas.stop()
  }
}

async function warmedUp(url: string, work: Work, how: Load): Promise<Figures> {
  await load(url, work, { ...how, seconds: 2 })
  return load(url, work, how)
}

const lineOf = ({ at, rate, p50, p99 }: Figures & { readonly at: number }): string =>
  `${at.toLocaleString('en')}: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`
