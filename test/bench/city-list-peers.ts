import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Pool } from 'undici'

// Run as a process of its own by `city-list.ts`: `node city-list-peers.ts ROLE [ARGUMENT]`. It reports over IPC.

const ROWS = 150_000
const PER_PAGE = 200
const PAGES = ROWS / PER_PAGE
const AT_ONCE = 8
const NAMES = [
  'Şişli',
  'Çeşme',
  'Iğdır',
  'Muğla',
  'Gümüşhane',
  'Kırşehir',
  'Ağrı',
  'Übersee',
  'São Tomé',
  'Bolu',
  'Ordu',
]

const nameOf = (id: number): string => `${NAMES[id % NAMES.length]} ${NAMES[(id * 7) % NAMES.length]} ${id % 977}`

/** A v1 that only has cities, with pages made in advance. */
function upstream(): void {
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const items = Array.from({ length: PER_PAGE }, (_, row) => {
      const id = index * PER_PAGE + row + 1
      return { id, name: nameOf(id), countryId: 1 + (id % 249), countryCode: 'TR' }
    })
    const meta = { page: index + 1, perPage: PER_PAGE, total: ROWS, pageCount: PAGES }
    return Buffer.from(JSON.stringify({ success: true, message: 'Şehirler listelendi.', items, meta }))
  })
  const server = createServer(({ url = '' }, response) => {
    const page = pages[Number(new URLSearchParams(url.split('?')[1]).get('page')) - 1]
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': page?.length ?? 0 }).end(page)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

/** Fetches and parses all pages for each message. Replies with the time that took, in ms. */
function baseline(v1Url: string): void {
  const pool = new Pool(v1Url, { connections: AT_ONCE })
  const read = async (page: number): Promise<unknown> => {
    const path = `/api/v1/public/shared/cities?page=${page}&perPage=${PER_PAGE}`
    const { body } = await pool.request({ method: 'GET', path, headers: { authorization: 'Bearer t' } })
    return JSON.parse(await body.text())
  }
  process.on('message', async () => {
    const started = performance.now()
    await read(1)
    let next = 2
    const work = async (): Promise<void> => {
      while (next <= PAGES) await read(next++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    process.send?.(performance.now() - started)
  })
  process.send?.('ready')
}

/** The usual way to answer with a buffer: a Hono handler that returns it. */
function constant(bytes: number): void {
  const body = new Uint8Array(bytes).fill(0x20)
  const app = new Hono().get('/city/all', (context) => context.body(body, 200, { 'content-type': 'application/json' }))
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
}

const [role, argument = ''] = process.argv.slice(2)
if (process.send !== undefined) {
  if (role === 'upstream') upstream()
  if (role === 'baseline') baseline(argument)
  if (role === 'constant') constant(Number(argument))
}
