import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { servingAt, startService } from '../../support/service-process.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

const MB = 1024 * 1024
/**
 * What the process takes beside its budget: the program, its threads, its heap, and what the collectors have not seen to yet.
 * The three hundred bodies peak at 300 to 340 MB with a budget of 64, and at 885 and more with one that holds them all: this
 * is well between.
 */
const ITSELF = 400 * MB

/** JSON of a page of about so many bytes; all its rows are one. */
function largePage(bytes: number): Buffer {
  const row = JSON.stringify({ id: 1, number: 'DEM2025000000001', company: 'x'.repeat(400), currencyCode: 'USD' })
  const rows = Math.floor(bytes / (row.length + 1))
  const page = JSON.stringify(v1Page([], { page: 1, perPage: 200, total: rows, pageCount: 1 }))
  return Buffer.from(page.replace('"items":[]', `"items":[${Array(rows).fill(row).join(',')}]`))
}

/** A service that answers everything so, the health checks aside. */
async function startServiceOf(answer: (response: ServerResponse, url: string) => void): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      if (incoming.url?.includes('countries') === true) response.end(JSON.stringify(v1Page([])))
      else answer(response, incoming.url ?? '')
    })
  }).listen(0, '127.0.0.1')
  closeAtEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Answered {
  readonly status: number
  readonly failure: string | undefined
  readonly bytes: number
}

/** Makes a call, and throws its answer away while it comes. */
function call(url: string, body: string | Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'content-length': Buffer.byteLength(body) } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      const failure = answer.headers['x-gateway-error'] as string | undefined
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, failure, bytes })).on('error', reject)
    })
    sent.on('error', reject).end(body)
  })
}

/** The real process, with so much memory to spend. */
async function startWith(memoryMb: number, v1: string, more: Readonly<Record<string, string>> = {}) {
  const env = { MEMORY_MB: `${memoryMb}`, V1_BASE_URL: v1, NODE_OPTIONS: '--max-old-space-size=192', ...more }
  const gateway = startService('serve', env)
  const { legacy, admin } = await servingAt(gateway)
  return {
    gateway,
    legacy,
    /** What it took at most, in bytes. */
    peak: () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8'))?.[1]) * 1024,
    async metric(name: string) {
      const text = await fetch(`${admin}/metrics`).then((answer) => answer.text())
      return text.split('\n').flatMap((line) => (line.startsWith(name) ? [Number(line.split(' ').at(-1))] : []))
    },
  }
}

const isLinux = process.platform === 'linux'
const page = isLinux ? largePage(60 * MB) : Buffer.alloc(0)
const ways: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'of announced length': (response) => response.writeHead(200, { 'content-length': page.length }).end(page),
  'in chunks': (response) => {
    response.write(page.subarray(0, 1000))
    response.end(page.subarray(1000))
  },
}

const EXPECTED = ['200 undefined', '500 overloaded']

describe.runIf(isLinux)('a process with little memory', () => {
  test.each(Object.keys(ways))(
    'answers eight lists of 60 MB at once, %s, or says that it is overloaded',
    async (way) => {
      const v1 = await startServiceOf((response) => ways[way]?.(response))
      const { gateway, legacy, peak, metric } = await startWith(256, v1)
      const answers = await Promise.all(Array.from({ length: 8 }, () => call(`${legacy}/api/invoice/list`, '{}')))
      for (const { status, failure, bytes } of answers) {
        expect([status, failure]).toEqual(status === 200 ? [200, undefined] : [500, 'overloaded'])
        if (status === 200) expect(bytes).toBeGreaterThan(55 * MB)
      }
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expect(gateway.child.exitCode).toBeNull()
      expect(peak()).toBeLessThan(256 * MB + ITSELF)
      expect(await metric('legacy_gateway_memory_used_bytes')).toEqual([0])
    },
    120_000,
  )

  test('accepts three hundred bodies of 1 MB at once while it compares and records', async () => {
    const v1 = await startServiceOf((response) => {
      setTimeout(() => response.end(JSON.stringify({ ...v1Page([]), ...v1Record({}) })), 1_000)
    })
    const rollout = join(tmpdir(), `memory-${process.pid}.json`)
    writeFileSync(rollout, JSON.stringify({ operations: { '*': { serve: 'v1', shadow: 1 } } }))
    const recording = join(tmpdir(), `memory-${process.pid}.ndjson`)
    closeAtEnd(() => [rollout, recording].map((file) => rmSync(file, { force: true })))
    const more = { LEGACY_BASE_URL: v1, ROLLOUT_FILE: rollout, RECORD_FILE: recording }
    const { gateway, legacy, peak, metric } = await startWith(64, v1, more)
    const body = JSON.stringify({ packages: [{ text: 'x'.repeat(MB - 100) }] })
    const calls = Array.from({ length: 300 }, () => call(`${legacy}/api/calculate/price`, body))
    const statuses = (await Promise.all(calls)).map(({ status, failure }) => `${status} ${failure}`)
    expect(statuses.filter((status) => !EXPECTED.includes(status))).toEqual([])
    expect(statuses).toContain('200 undefined')
    expect(gateway.child.exitCode).toBeNull()
    expect(peak()).toBeLessThan(64 * MB + ITSELF)
    // Comparing and recording give way first, and it is counted.
    expect(Math.max(...(await metric('legacy_gateway_memory_refused_total')))).toBeGreaterThan(0)
  }, 60_000)

  test('decodes compressed answers within its memory', async () => {
    const coded = gzipSync(page, { level: 1 })
    const v1 = await startServiceOf((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(coded))
    const { gateway, legacy, peak } = await startWith(256, v1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(`${legacy}/api/invoice/list`, '{}')))
    const statuses = answers.map(({ status, failure }) => `${status} ${failure}`)
    expect(statuses.filter((status) => !EXPECTED.includes(status))).toEqual([])
    expect(statuses).toContain('200 undefined')
    expect(gateway.child.exitCode).toBeNull()
    expect(peak()).toBeLessThan(256 * MB + ITSELF)
  }, 120_000)
})
