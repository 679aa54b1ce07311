import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { findRows, insertRow, inTransaction } from '../../src/sandbox/store/sandbox-rows.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { invoiceOf } from './many-invoices.ts'
import { ask, demo, type ListBody, logIn } from './sandbox-client.ts'

const wanted = 500
let folder: string
let sandbox: Sandbox
/** Another connection to the file that the sandbox serves. */
let beside: DatabaseSync
let token: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'invoices-'))
  const db = join(folder, 'sandbox.db')
  sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db })
  beside = openStore(db)
  token = await logIn(sandbox, demo)
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

function idsStored(): readonly number[] {
  return findRows(beside, 'invoices', { organizationId: 1 }).map(({ id }) => id)
}

async function readPage(page: number): Promise<ListBody<{ id: number }>> {
  const query = `perPage=200&sortBy=id&sortOrder=asc&page=${page}`
  const reply = await ask<ListBody<{ id: number }>>(sandbox, `/api/v1/finance/invoices?${query}`, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('a list is read page by page without a gap or an overlap while another program writes', async () => {
  const before = idsStored()
  expect(before).toHaveLength(wanted)
  const ids: number[] = []
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const { items, meta } = await readPage(page)
    pageCount = meta.pageCount
    ids.push(...items.map(({ id }) => id))
    insertRow(beside, 'invoices', invoiceOf(1, `MEANWHILE-${page}`))
  }
  expect(ids).toEqual(idsStored().slice(0, ids.length))
  expect(ids.length).toBeGreaterThan(wanted)
})

test('a list is answered while another program is in the middle of writing', async () => {
  const stored = idsStored().length
  beside.exec('BEGIN IMMEDIATE')
  insertRow(beside, 'invoices', invoiceOf(1, 'UNDONE'))
  expect((await readPage(1)).meta.total).toBe(stored)
  beside.exec('ROLLBACK')
  expect((await readPage(1)).meta.total).toBe(stored)
})
