import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { ask, demo, type ListBody, logIn, startInMemory } from './sandbox-client.ts'

let folder: string
const running: Sandbox[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
  await rm(folder, { recursive: true })
})

async function start(options: Partial<SandboxOptions>): Promise<Sandbox> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, db: ':memory:', ...options })
  running.push(sandbox)
  return sandbox
}

async function invoicesOf(sandbox: Sandbox) {
  const token = await logIn(sandbox, demo)
  return (await ask<ListBody<{ id: number }>>(sandbox, '/api/v1/finance/invoices?perPage=200', { token })).body
}

test('port 0 picks a free port, which the address names', async () => {
  const [first, second] = [await start({}), await start({})]
  expect(first.v1Url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  expect(first.v1Url).not.toBe(second.v1Url)
})

test('a port in use rejects with EADDRINUSE and names the address', async () => {
  const { v1Url } = await start({})
  const v1Port = Number(new URL(v1Url).port)
  await expect(start({ v1Port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Sandbox v1: 127.0.0.1:${v1Port} is already in use`,
  })
})

test('a failed start leaves the database free for the next one', async () => {
  const { v1Url } = await start({})
  const db = join(folder, 'sandbox.db')
  await expect(start({ v1Port: Number(new URL(v1Url).port), db })).rejects.toThrow('in use')
  expect(await readdir(folder)).toEqual(['sandbox.db'])
  expect((await invoicesOf(await start({ db }))).meta.total).toBe(144)
})

test('two sandboxes give the same answers', async () => {
  const [first, second] = [await start({}), await start({ now: () => 0 })]
  expect(await invoicesOf(first)).toEqual(await invoicesOf(second))
  const countries = '/api/v1/public/shared/countries?perPage=200'
  expect((await ask(first, countries)).text).toBe((await ask(second, countries)).text)
})

test('a file is seeded once and then kept', async () => {
  const db = join(folder, 'sandbox.db')
  const first = await start({ db })
  const before = await invoicesOf(first)
  const token = await logIn(first, demo)
  await first.close()

  const file = new DatabaseSync(db, { timeout: 10_000 })
  file.exec('DELETE FROM invoices WHERE id = 1001')
  file.close()

  const second = await start({ db })
  const after = await invoicesOf(second)
  expect(after.meta.total).toBe(before.meta.total - 1)
  expect(after.items).toEqual(before.items.filter(({ id }) => id !== 1001))
  expect((await ask(second, '/api/v1/finance/invoices', { token })).status).toBe(200)
})

test('a file does not contain the tokens themselves', async () => {
  const db = join(folder, 'sandbox.db')
  const sandbox = await start({ db })
  const token = await logIn(sandbox, demo)
  const file = new DatabaseSync(db, { readOnly: true, timeout: 10_000 })
  const stored = file.prepare('SELECT * FROM tokens').all()
  file.close()
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('a file that is not a database, or belongs to another program or version, is refused by name and left unchanged', async () => {
  const notDatabase = join(folder, 'notes.txt')
  await writeFile(notDatabase, 'These are notes and no database. '.repeat(100))
  await expect(start({ db: notDatabase })).rejects.toThrow(`${notDatabase}: file is not a database`)

  const strange = join(folder, 'strange.db')
  const file = new DatabaseSync(strange, { timeout: 10_000 })
  file.exec('CREATE TABLE theirs (id INTEGER)')
  await expect(start({ db: strange })).rejects.toThrow(`${strange}: contains tables of another program`)
  expect(file.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'theirs' }])
  file.exec('PRAGMA user_version = 99')
  await expect(start({ db: strange })).rejects.toThrow(`${strange}: has version 99`)
  file.close()

  await expect(start({ db: join(folder, 'none', 'sandbox.db') })).rejects.toThrow(join('none', 'sandbox.db'))
})

test('close stops listening, can be repeated, and does not wait for a half-sent request', async () => {
  const sandbox = await startInMemory()
  const { port } = new URL(sandbox.v1Url)
  const halfSent = httpRequest({ port, path: '/api/v1/auth/application', method: 'POST' })
  halfSent.on('error', () => {})
  halfSent.setHeader('Content-Length', 100)
  halfSent.write('{')
  await ask(sandbox, '/api/v1/public/shared/countries')

  const startedAt = performance.now()
  await Promise.all([sandbox.close(), sandbox.close()])
  expect(performance.now() - startedAt).toBeLessThan(2000)
  await expect(fetch(sandbox.v1Url)).rejects.toThrow()
})
