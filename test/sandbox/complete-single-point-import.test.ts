import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import { ask, type ErrorBody } from './sandbox-client.ts'

const imports = '/api/v1/shipment/single-point-imports'
let sandbox: OpenSandbox
let nowMs = Date.UTC(2025, 0, 1)
beforeAll(async () => {
  sandbox = await openSandbox(() => nowMs)
})
afterAll(() => sandbox.close())

let id: number
let number = 0
beforeEach(async () => {
  const body = { name: `Import ${++number}`, carrierShipmentId: 'GCCN' }
  id = (await post<{ data: { id: number } }>(sandbox, imports, body)).body.data.id
})

const complete = (of: number | string, body?: unknown, asked = {}) =>
  post<ErrorBody>(sandbox, `${imports}/${of}/complete`, body, asked)
const completedAt = () => sandbox.db.prepare('SELECT completedAt FROM singlePointImports WHERE id = ?').get(id)

describe('an open import', () => {
  test('is completed with 200, a Turkish message and nothing else', async () => {
    nowMs += 1234
    const { status, body } = await complete(id, undefined, { language: 'en' })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: 'Tek noktadan ithalat tamamlandı.' })
    expect(completedAt()).toEqual({ completedAt: new Date(nowMs).toISOString() })
  })

  test('is completed whatever the body is, since the id is in the path', async () => {
    expect((await complete(id, { id: 1 })).status).toBe(200)
    expect(completedAt()).not.toEqual({ completedAt: null })
  })
})

test('a completed import is 400 with its code, and keeps its time of completion', async () => {
  await complete(id)
  const before = completedAt()
  nowMs += 1000
  for (const language of ['tr', 'en']) {
    const { status, body } = await complete(id, {}, { language })
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      code: 'SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE',
      message: 'Tek noktadan ithalat daha önce tamamlanmış.',
    })
  }
  expect(completedAt()).toEqual(before)
})

describe('an import that does not exist', () => {
  const notFound = {
    success: false,
    code: 'SINGLE_POINT_IMPORT_IS_NOT_FOUND',
    message: 'Tek noktadan ithalat bulunamadı.',
  }

  test('is 400 with a code', async () => {
    const { status, body } = await complete(999)
    expect(status).toBe(400)
    expect(body).toEqual(notFound)
  })

  test("is answered like another organization's, open or completed", async () => {
    const asOther = { token: sandbox.tokens.other }
    expect((await complete(id, {}, asOther)).body).toEqual(notFound)
    expect(completedAt()).toEqual({ completedAt: null })
    await complete(id)
    expect((await complete(id, {}, asOther)).body).toEqual(notFound)
  })
})

test('an id that is not a positive int is 422 at id, and one that is no single part of the path another address', async () => {
  const messages = { tr: '1 veya daha büyük bir tam sayı olmalıdır.', en: 'Must be a whole number of at least 1.' }
  for (const wrong of ['0', '1.5', '01', 'abc', '9007199254740992']) {
    for (const language of ['tr', 'en'] as const) {
      const { status, body } = await complete(wrong, {}, { language })
      expect(status, wrong).toBe(422)
      expect(body).toEqual(validationFailed(language, { id: messages[language] }))
    }
  }
  for (const elsewhere of ['', '1/2']) expect((await complete(elsewhere)).status).toBe(404)
})

test('no token is 401 before anything else; GET is 405', async () => {
  for (const of of [id, 'x']) {
    const reply = await ask<ErrorBody>(sandbox, `${imports}/${of}/complete`, { method: 'POST' })
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED'])
  }
  const reply = await ask(sandbox, `${imports}/${id}/complete`)
  expect([reply.status, reply.headers.get('Allow')]).toEqual([405, 'POST'])
})
