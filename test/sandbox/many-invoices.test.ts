import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { openStore } from '../../src/sandbox/store/open-store.ts'
import { findRows, insertRow, inTransaction } from '../../src/sandbox/store/rows.ts'
import { askLegacy, logInToLegacy } from './legacy/legacy-client.ts'
import { invoiceOf } from './many-invoices.ts'
import { ask, demo, type ListBody, logIn } from './sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages } from './shipment-requests.ts'

const wanted = 2000
let folder: string
let file: string
let sandbox: Sandbox
/** Another connection to the file that the sandbox serves. */
let beside: DatabaseSync
let token: string
let legacyToken: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invoices-'))
  file = join(folder, 'sandbox.db')
  sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: file })
  beside = openStore(file)
  token = await logIn(sandbox, demo)
  legacyToken = await logInToLegacy(sandbox, demo)
  const seeded = idsStored().length
  inTransaction(beside, () => {
    for (let nth = seeded; nth < wanted; nth++) insertRow(beside, 'invoices', invoiceOf(1, `MANY-${nth}`))
  })
})
afterAll(async () => {
  beside.close()
  await sandbox.close()
  await rm(folder, { recursive: true })
})

function idsStored(): number[] {
  const sql = 'SELECT id FROM invoices WHERE organizationId = 1 ORDER BY id'
  return findRows<{ id: number }>(beside, sql).map(({ id }) => id)
}

async function readPage(page: number): Promise<ListBody<{ id: number }>> {
  const query = `perPage=200&sortBy=id&sortOrder=asc&page=${page}`
  const reply = await ask<ListBody<{ id: number }>>(sandbox, `/api/v1/finance/invoices?${query}`, { token })
  expect(reply.status, reply.text.slice(0, 500)).toBe(200)
  const { items, meta } = reply.body
  expect(meta).toEqual({ page, perPage: 200, total: meta.total, pageCount: Math.ceil(meta.total / 200) })
  expect(items).toHaveLength(Math.max(0, Math.min(200, meta.total - (page - 1) * 200)))
  return reply.body
}

/** The ids of the whole list, page by page. */
async function readAll(): Promise<number[]> {
  const ids: number[] = []
  for (let page = 1, pageCount = 1, total = 0; page <= pageCount; page++) {
    const { items, meta } = await readPage(page)
    expect(meta.total).toBeGreaterThanOrEqual(total)
    pageCount = meta.pageCount
    total = meta.total
    ids.push(...items.map(({ id }) => id))
  }
  return ids
}

/** The calls that other clients keep making on both faces, and the status that each must get. */
const writes: readonly (readonly [status: number, send: (nth: number) => Promise<{ status: number }>])[] = [
  [201, () => ask(sandbox, documents, { token, body: documentBody() })],
  [201, () => ask(sandbox, packages, { token, body: packageBody() })],
  [400, () => ask(sandbox, documents, { token, body: documentBody({ senderAddressId: 2 }) })],
  [201, (nth) => ask(sandbox, imports, { token, body: { name: `v1 ${nth}`, carrierShipmentId: 'GCCN' } })],
  [200, () => askLegacy(sandbox, '/api/consignment/document', { token: legacyToken, body: documentBody() })],
  [
    200,
    (nth) =>
      askLegacy(sandbox, '/api/single/point/import', {
        token: legacyToken,
        body: { name: `legacy ${nth}`, shipmentId: 'GCCN' },
      }),
  ],
]

test('there are 2,000 invoices', async () => {
  const ids = await readAll()
  expect(ids).toHaveLength(wanted)
  expect(ids).toEqual(idsStored())
})

test('they are listed page by page without an error, a gap or an overlap while others write', async () => {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const writer = new Worker(new URL('./invoice-writer.ts', import.meta.url), { workerData: { file, stop } })
  const writerEnds = new Promise((resolve, reject) => {
    writer.once('error', reject)
    writer.once('exit', resolve)
  })
  let reads = true
  const clients = writes.map(async ([status, send]) => {
    let sent = 0
    while (reads) expect((await send(sent++)).status).toBe(status)
    return sent
  })

  const before = idsStored()
  let written = 0
  for (let round = 0; round < 500 && (round < 5 || written < 60); round++) {
    const ids = await readAll()
    expect(ids.slice(0, before.length)).toEqual(before)
    const stored = idsStored().filter((id) => id <= Number(ids.at(-1)))
    expect(ids).toEqual(stored)
    written = ids.length - before.length
  }
  reads = false
  Atomics.store(stop, 0, 1)
  Atomics.notify(stop, 0)
  for (const sent of await Promise.all(clients)) expect(sent).toBeGreaterThan(0)
  expect(await writerEnds).toBe(0)
  expect(written).toBeGreaterThanOrEqual(60)
}, 60_000)

test('a list is answered while another program is in the middle of writing', async () => {
  await inTheMiddleOf(
    () => insertRow(beside, 'invoices', invoiceOf(1, 'UNDONE')),
    async () => {
      const { meta } = await readPage(1)
      expect(meta.total).toBe(idsStored().length - 1)
    },
  )
  expect((await readPage(1)).meta.total).toBe(idsStored().length)
})

async function inTheMiddleOf(write: () => void, work: () => Promise<void>): Promise<void> {
  beside.exec('BEGIN IMMEDIATE')
  try {
    write()
    await work()
  } finally {
    beside.exec('ROLLBACK')
  }
}
