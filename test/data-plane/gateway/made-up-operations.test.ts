import { expect, test } from 'vitest'
import { chargeThings, closeThing, createThing, listThings, madeUp } from '../../support/made-up-operations.ts'
import { startGateway } from '../../support/start-gateway.ts'
import { v1Error, v1Page, v1Record } from '../../support/v1-bodies.ts'
import { standInForV1, V1_URL, type V1Answer } from '../../support/v1-stand-in.ts'

const headers = { authorization: 'Bearer t', 'accept-language': 'en' }
const create = { path: '/api/thing', headers, body: '{"title":"a"}' }

async function serving(answer: V1Answer) {
  const v1 = standInForV1(() => answer)
  return { v1, gateway: await startGateway(v1.url, { operations: madeUp }) }
}

test('a mapping is enough to translate a record both ways', async () => {
  const { v1, gateway } = await serving({
    status: 201,
    body: '{"success":true,"data":{"name":"Kutu","height":2.50,"secret":1,"parts":[{"partCode":"p","x":1.0}],"width":1.00,"owner":{"fullName":"A"},"createdAt":"2025-03-04T10:24:19.000Z","id":9}}',
  })
  const reply = await gateway.call({
    ...create,
    body: '{"organizationId":7,"size":{"width":1.00},"title":"Kutu","parts":[{"code":"p","weight":null,"n":2.0}],"color":"red","note":null}',
  })
  expect(v1.asked).toMatchObject([{ method: 'POST', path: '/api/v1/things' }])
  expect(JSON.parse(v1.asked[0]?.body ?? '')).toEqual({ name: 'Kutu', width: 1, parts: [{ partCode: 'p', n: 2 }] })
  expect(v1.asked[0]?.body).toContain('1.00')
  expect(reply.status).toBe(200)
  expect(JSON.parse(reply.text)).toEqual({
    id: 9,
    title: 'Kutu',
    createdAt: '2025-03-04T10:24:19+00:00',
    size: { width: 1, height: 2.5 },
    parts: [{ code: 'p', x: 1 }],
    owner: { name: 'A' },
    color: null,
  })
  expect(reply.text).toContain('2.50')
  expect(reply.headers['x-gateway-dropped']).toMatch(/organizationId/)
  expect(reply.headers.link).toBe('<http://192.0.2.1/api/v1/things>; rel="successor-version"')
})

test('a mapping is enough to find the legacy path of an error', async () => {
  const errors = ['name', 'width', 'parts.1.partCode', 'parts[0].weight', 'elsewhere'].map((path) => ({
    path,
    message: 'x',
  }))
  const { gateway } = await serving({
    status: 422,
    body: { success: false, code: 'VALIDATION_FAILED', message: 'No.', errors },
  })
  const reply = await gateway.call(create)
  const { violations } = JSON.parse(reply.text) as { violations: { propertyPath: string }[] }
  expect(reply.status).toBe(400)
  expect(violations.map(({ propertyPath }) => propertyPath)).toEqual([
    'title',
    'size.width',
    'parts[1].code',
    'parts[0].weight',
    'elsewhere',
  ])
})

test('a mapping can give an error a status of its own, which does not count as a failure of v1', async () => {
  const { gateway } = await serving(v1Error(400, 'CHARGE_FAILED', 'Ödeme alınamadı.'))
  const reply = await gateway.call(create)
  expect(reply).toMatchObject({
    status: 500,
    text: '{"message":"Charge failed."}',
    headers: { 'x-gateway-code': 'CHARGE_FAILED' },
  })
  expect(reply.headers['x-gateway-error']).toBeUndefined()
})

test('a mapping can give an error a message of its own, in Turkish too', async () => {
  const { gateway } = await serving(v1Error(400, 'BAD_REQUEST', 'v1 metni.'))
  const reply = await gateway.call({ ...create, headers: {} })
  expect(reply).toMatchObject({ status: 406, text: '{"message":"Hatalı istek."}' })
})

test('a mapping can move an id into the path, and answer without a body', async () => {
  const { v1, gateway } = await serving({ body: { success: true, message: 'Tamam' } })
  const reply = await gateway.call({ path: '/api/thing/close', headers, body: '{"id":"12","x":1}' })
  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers['content-type']).toBeUndefined()
  expect(v1.asked).toMatchObject([{ method: 'POST', path: '/api/v1/things/12/close' }])
})

test.each(['0', '-1', '1.5', '"1/../2"', '"1?x"', '"%2e"', 'null', '[]', 'true', '"１"', '1e3'])(
  'an id of %s never reaches a path',
  async (id) => {
    const { v1, gateway } = await serving({ body: { success: true } })
    const reply = await gateway.call({ path: '/api/thing/close', headers, body: `{"id":${id}}` })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.text)).toMatchObject({ violations: [{ propertyPath: 'id' }] })
    expect(v1.asked).toEqual([])
  },
)

test('a 2xx with success: false is not a success, even when legacy answers no body', async () => {
  const { gateway } = await serving({ body: { success: false } })
  const reply = await gateway.call({ path: '/api/thing/close', headers, body: '{"id":1}' })
  expect(reply).toMatchObject({ status: 500, headers: { 'x-gateway-error': 'malformed' } })
})

test('a list that needs a token is cached separately for each token', async () => {
  const v1 = standInForV1(({ headers: { authorization = '' } }) =>
    authorization === '' ? v1Error(401, 'NO') : { body: v1Page([{ id: 1, name: authorization }], { perPage: 2 }) },
  )
  const gateway = await startGateway(v1.url, { operations: madeUp })
  const ask = async (authorization?: string): Promise<string> => {
    const { status, text } = await gateway.call({
      path: '/api/things',
      headers: authorization === undefined ? {} : { authorization },
    })
    return status === 200 ? (JSON.parse(text) as { title: string }[]).map(({ title }) => title).join() : String(status)
  }
  expect([await ask('a'), await ask('b'), await ask(), await ask('a'), await ask('b')]).toEqual([
    'a',
    'b',
    '401',
    'a',
    'b',
  ])
  expect(v1.asked).toHaveLength(3)
})

test('the gateway serves only the operations that it is given', async () => {
  const gateway = await startGateway(V1_URL, { operations: [closeThing] })
  expect((await gateway.call(create)).status).toBe(404)
  expect((await gateway.call({ path: '/country/all' })).status).toBe(404)
})

test('two operations may share a path', async () => {
  const get = { ...listThings, id: 'thing-all', legacy: { method: 'GET', path: '/api/thing' } as const }
  const v1 = standInForV1(({ method }) => ({
    body: method === 'GET' ? v1Page([], { perPage: 2 }) : v1Record({ id: 1 }),
  }))
  const gateway = await startGateway(v1.url, { operations: [createThing, get] })
  expect((await gateway.call(create)).status).toBe(200)
  expect((await gateway.call({ path: '/api/thing' })).text).toBe('[]')
  const reply = await gateway.call({ method: 'DELETE', path: '/api/thing' })
  expect(reply.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
})

test('an invalid mapping fails before anything listens, and the error names its file', async () => {
  const twice = { ...closeThing, id: 'again' }
  await expect(startGateway(V1_URL, { operations: [closeThing, twice] })).rejects.toThrow(/mappings\/again/)
})

// docs/decisions/0024: passed through when a legacy service is configured, else 501 with a message.
test('an operation without v1 equivalent is 501 with a message', async () => {
  const gateway = await startGateway(V1_URL, { operations: [chargeThings] })
  const reply = await gateway.call({ path: '/api/thing/charges', body: '{}' })
  expect(reply.status).toBe(501)
  expect(JSON.parse(reply.text)).toMatchObject({ message: expect.any(String) })
})
