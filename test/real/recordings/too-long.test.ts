import { expect, it } from 'vitest'
import { outlineOf } from '../../control-plane/evidence/support/recorded-files.ts'

const MEGABYTE = 1024 * 1024

it('a line that is longer than 64 MiB is reported without keeping it, and the others are read', async () => {
  const get = (path: string) => `{"v":1,"request":{"method":"GET","path":"${path}","headers":{}}}\n`
  const long = Buffer.alloc(65 * MEGABYTE, 'x')
  const content = Buffer.concat([Buffer.from(`${get('/before')}"`), long, Buffer.from(`"\n${get('/after')}`)])
  expect(await outlineOf(content)).toEqual(['1: /before', '2: longer than 67108864 bytes', '3: /after'])
})

it('an entry of a HAR whose body is longer than 64 MiB is reported without keeping it, and the others are read', async () => {
  const entry = (request: object) => ({ request: { method: 'GET', url: 'https://legacy.example/after', ...request } })
  const entries = [entry({ postData: { text: 'x'.repeat(65 * MEGABYTE) } }), entry({})]
  expect(await outlineOf(JSON.stringify({ log: { version: '1.2', entries } }))).toEqual([
    '1: its request is longer than 67108864 characters',
    '2: /after',
  ])
})

it('a Postman collection of more than 64 MiB is refused', async () => {
  const body = { mode: 'raw', raw: 'x'.repeat(64 * MEGABYTE) }
  const info = { name: 'Legacy', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }
  const item = [{ name: 'It', request: { method: 'POST', url: 'https://legacy.example/a', body } }]
  const message = /a Postman collection may have 64 MiB at most/
  await expect(outlineOf(JSON.stringify({ info, item }))).rejects.toThrow(message)
})
