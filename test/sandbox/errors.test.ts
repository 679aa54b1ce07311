import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildFace } from '../../src/sandbox/faces/build-face.ts'
import { v1Face } from '../../src/sandbox/faces/v1-face.ts'
import { listen } from '../../src/sandbox/start-sandbox.ts'
import { openStore } from '../../src/sandbox/store/sandbox-store.ts'
import { badRequests, goodRequests, sendTo } from './endpoints.ts'
import { type OpenSandbox, openSandbox, post } from './open-sandbox.ts'
import type { ErrorBody } from './sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages } from './shipment-requests.ts'

const languages = ['tr', 'en'] as const
let sandbox: OpenSandbox
let completed: number
beforeAll(async () => {
  sandbox = await openSandbox()
  const body = { name: 'Completed', carrierShipmentId: 'GCCN' }
  completed = (await post<{ data: { id: number } }>(sandbox, imports, body)).body.data.id
  await post(sandbox, `${imports}/${completed}/complete`, {})
})
afterAll(() => sandbox.close())
afterEach(() => vi.restoreAllMocks())

test('a success has success and a message that is the same in both languages, at every endpoint', async () => {
  const answers: string[][] = []
  for (const language of languages) {
    for (const [at, request] of goodRequests().entries()) {
      const { status, body } = await sendTo<{ success: boolean; message: string }>(sandbox, request, language)
      expect([200, 201], request.path).toContain(status)
      expect(body.success).toBe(true)
      expect(body.message).toMatch(/(di|dı|du|dü|uygun)\.$/)
      answers[at] = [...(answers[at] ?? []), body.message]
    }
  }
  for (const [turkish, english] of answers) expect(english).toBe(turkish)
})

describe('an invalid request', () => {
  test('is 422 VALIDATION_FAILED at its field, in the requested language, at every endpoint', async () => {
    for (const { names, ...request } of badRequests()) {
      const answers = []
      for (const language of languages) {
        const { status, body } = await sendTo<ErrorBody>(sandbox, request, language)
        expect(status, request.path).toBe(422)
        expect(Object.keys(body)).toEqual(['success', 'code', 'message', 'errors'])
        expect(body).toMatchObject({ success: false, code: 'VALIDATION_FAILED' })
        expect(body.errors).toEqual([{ path: names, message: expect.any(String) }])
        answers.push([body.message, body.errors?.[0]?.message])
      }
      expect(answers.map(([message]) => message)).toEqual(['Doğrulama başarısız oldu.', 'Validation failed.'])
      expect(answers[0]?.[1]).not.toBe(answers[1]?.[1])
    }
  })

  test('gets only the first violation of a field that breaks several rules', async () => {
    const name = ` ${'\ud800'.repeat(300)}`
    const { body } = await post<ErrorBody>(sandbox, imports, { name, carrierShipmentId: '' }, { language: 'en' })
    expect(body.errors).toEqual([
      { path: 'name', message: 'Must be at most 255 characters long.' },
      { path: 'carrierShipmentId', message: 'This field must not be empty.' },
    ])
  })
})

test('a broken business rule is 400 with its code, in Turkish in both languages', async () => {
  const prices = '/api/v1/shipment/price-calculations'
  const box = { length: 1, size: 1, height: 1, weight: 1 }
  for (const [code, path, makeBody] of [
    ['CARRIER_IS_NOT_FOUND', packages, () => packageBody({ carrierId: 99 })],
    ['CARRIER_IS_NOT_FOUND', prices, () => ({ countryId: 1, carrierId: 99, packages: [box] })],
    ['SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED', packages, () => packageBody({ senderAddressId: 3 })],
    ['SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED', documents, () => documentBody({ senderAddressId: 3 })],
    [
      'SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE',
      packages,
      () => packageBody({ singlePointImportId: completed }),
    ],
    ['SINGLE_POINT_IMPORT_CHARGE_FAILED', imports, () => ({ name: 'Fails', carrierShipmentId: 'CHARGE-FAILS' })],
    ['BAD_REQUEST', documents, () => documentBody({ senderAddressId: 2 })],
    ['BAD_REQUEST', packages, () => packageBody({ senderAddressId: 2 })],
  ] as const) {
    const replies = []
    for (const language of languages) replies.push(await post<ErrorBody>(sandbox, path, makeBody(), { language }))
    const [turkish, english] = replies
    expect(turkish?.status).toBe(400)
    expect(turkish?.body).toMatchObject({ success: false, code, message: expect.stringMatching(/[çğışöü].*\.$/) })
    expect(turkish?.body).not.toHaveProperty('errors')
    expect(Object.keys(turkish?.body ?? {}).includes('params')).toBe(code.includes('TAX_INFORMATION'))
    expect([english?.status, english?.text]).toEqual([turkish?.status, turkish?.text])
  }
})

test('no token, an unknown one and another scheme are 401 in Turkish in both languages, at every endpoint', async () => {
  for (const request of goodRequests().filter(({ needsToken }) => needsToken)) {
    for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization: `Basic ${sandbox.tokens.demo}` }]) {
      for (const language of languages) {
        const { status, body } = await sendTo<ErrorBody>(sandbox, request, language, headers)
        expect(status, request.path).toBe(401)
        expect(body).toEqual({
          success: false,
          code: 'UNAUTHORIZED',
          message: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
        })
      }
    }
  }
})

test('an unavailable store is 503 DEPENDENCY_UNAVAILABLE at every endpoint, in Turkish in both languages', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const db = openStore(':memory:')
  db.close()
  const v1 = await listen('v1', buildFace(v1Face, { db, now: Date.now }).fetch, '127.0.0.1', 0)
  for (const request of goodRequests()) {
    for (const language of languages) {
      const { status, body } = await sendTo({ v1Url: v1.url, tokens: sandbox.tokens }, request, language)
      expect(status, request.path).toBe(503)
      expect(body).toEqual({
        success: false,
        code: 'DEPENDENCY_UNAVAILABLE',
        message: 'Hizmet geçici olarak kullanılamıyor.',
      })
    }
  }
  await v1.close()
})
