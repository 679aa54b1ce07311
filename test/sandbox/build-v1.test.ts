import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { buildFace, operationsOf } from '../../src/sandbox/faces/build-face.ts'
import { v1Face } from '../../src/sandbox/faces/v1-face.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { ask, demo, type ErrorBody, startInMemory } from './sandbox-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startInMemory()
})
afterAll(() => sandbox.close())
afterEach(() => vi.restoreAllMocks())

test('an unknown address is 404 in the error envelope', async () => {
  for (const path of [
    '/',
    '/api/v1/finance/invoices/',
    '/api/v1/Finance/Invoices',
    '/api/v1/finance/invoices/1',
    '/%E0%A4%A',
  ]) {
    for (const method of ['GET', 'POST']) {
      const reply = await ask<ErrorBody>(sandbox, path, { method })
      expect(reply.status, path).toBe(404)
      expect(reply.body).toEqual({ success: false, code: 'NOT_FOUND', message: 'İstenen kaynak bulunamadı.' })
    }
  }
})

test('another method is 405 and names the allowed one', async () => {
  for (const [method, path, allow] of [
    ['GET', '/api/v1/auth/application', 'POST'],
    ['PUT', '/api/v1/public/shared/countries', 'GET'],
  ] as const) {
    const reply = await ask<ErrorBody>(sandbox, path, { method })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('Allow')).toBe(allow)
    expect(reply.body).toMatchObject({ success: false, code: 'METHOD_NOT_ALLOWED' })
  }
})

describe('a body', () => {
  const path = '/api/v1/auth/application'
  const tooLarge = JSON.stringify({ ...demo, secretKey: 'x'.repeat(4 * 1024 * 1024) })

  async function sendInPieces(text: string): Promise<Response> {
    const bytes = Buffer.from(text)
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
    }
    return fetch(sandbox.v1Url + path, { method: 'POST', body: ReadableStream.from(pieces()), duplex: 'half' })
  }

  test('over 4 MiB is 413 in the error envelope', async () => {
    const reply = await ask<ErrorBody>(sandbox, path, { body: tooLarge })
    expect(reply.status).toBe(413)
    expect(reply.body).toEqual({ success: false, code: 'PAYLOAD_TOO_LARGE', message: 'İstek gövdesi çok büyük.' })
  })

  test('over 4 MiB is 413 even when its length is not announced', async () => {
    expect((await sendInPieces(tooLarge)).status).toBe(413)
  })

  test('that arrives in pieces or has a byte order mark is read whole', async () => {
    expect((await sendInPieces(JSON.stringify(demo))).status).toBe(200)
    expect((await sendInPieces(`\ufeff${JSON.stringify(demo)}`)).status).toBe(200)
    expect((await sendInPieces(JSON.stringify({ x: 'x'.repeat(1_000_000), ...demo }))).status).toBe(200)
  })
})

test('a failure of the store is 503 DEPENDENCY_UNAVAILABLE, in Turkish, and hides its cause', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const db = openStore(':memory:')
  const v1 = buildFace(v1Face, { db, now: Date.now })
  db.close()
  const response = await v1.request('/api/v1/public/shared/countries', { headers: { 'Accept-Language': 'en' } })
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    success: false,
    code: 'DEPENDENCY_UNAVAILABLE',
    message: 'Hizmet geçici olarak kullanılamıyor.',
  })
  expect(log).toHaveBeenCalledOnce()
})

test('the schemas that validate can be converted to JSON Schema', () => {
  const schemas = new Map(
    operationsOf('v1').map(({ path, takes }) => [path, z.toJSONSchema(takes.schema, { io: 'input' })]),
  )
  expect(schemas.get('/api/v1/auth/application')).toMatchObject({ required: ['clientId', 'secretKey'] })
  expect(schemas.get('/api/v1/finance/invoices')).toMatchObject({
    properties: {
      perPage: { type: 'integer', minimum: 1, maximum: 200 },
      sortOrder: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
      search: { type: 'string', minLength: 1, maxLength: 255 },
      statusId: { type: 'integer', enum: [1, 2, 3] },
      dateFrom: { type: 'string', format: 'date' },
    },
  })
  expect(schemas.get('/api/v1/public/shared/countries')).toMatchObject({ properties: { id: { type: 'integer' } } })
})
