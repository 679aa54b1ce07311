import { beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { describeOpenapi } from '../../src/guide/openapi/legacy-openapi.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import type { LegacyCall, Reply } from '../support/legacy-client.ts'
import { bodySchemaAt, exampleChecker, examplesIn } from '../support/openapi-examples.ts'
import { startGateway } from '../support/start-gateway.ts'

const origin = 'http://127.0.0.1:8080'
const document = JSON.parse(
  JSON.stringify(describeOpenapi(operations, { origin, basePath: '', version: '1' })),
) as object
const check = exampleChecker(document)

let call: (wanted: LegacyCall) => Promise<Reply>
beforeAll(async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const gateway = await startGateway(sandbox.v1Url, { legacyUrl: sandbox.legacyUrl ?? '' })
  const [login] = operations.filter((operation) => operation.login !== undefined)
  const body = JSON.stringify(login?.example?.request)
  const { token } = JSON.parse((await gateway.call({ path: login?.legacy.path ?? '', body })).text) as { token: string }
  call = (wanted) => gateway.call({ ...wanted, headers: { authorization: `Bearer ${token}` } })
  // They get the ids 1 to 3. Without them no import could be completed.
  for (const name of ['one', 'two', 'three']) {
    await call({ path: '/api/single/point/import', body: JSON.stringify({ name, shipmentId: 'GCCN' }) })
  }
})

describe('the examples', () => {
  const examples = examplesIn(document)

  it('exist for every operation: for its request, and for its answer if there is one', () => {
    for (const { legacy, request, response } of operations) {
      const at = `/paths/${legacy.path.replaceAll('/', '~1')}/${legacy.method.toLowerCase()}`
      const places = examples.map(({ place }) => place)
      const asked = request.kind === 'query-parameters' ? 'parameters/' : 'requestBody/'
      const answered = response.kind === 'no-content' ? [] : [`${at}/responses/200/content/application~1json`]
      expect(places).toEqual(expect.arrayContaining([expect.stringContaining(`${at}/${asked}`), ...answered]))
    }
  })

  it('match the schemas beside them', () => {
    expect(examples.length).toBeGreaterThan(40)
    for (const { place, schema, value } of examples) expect(check(schema, value), place).toBeNull()
  })

  it.each(operations)('of $id succeed', async ({ id, legacy, request, response, example }) => {
    const query = new URLSearchParams(example?.request as Record<string, string>)
    const body = JSON.stringify(example?.request)
    const reply = await (request.kind === 'query-parameters'
      ? call({ method: 'GET', path: `${legacy.path}?${query}` })
      : call({ path: legacy.path, body }))
    expect(reply.status, `${id}: ${reply.text}`).toBe(response.kind === 'no-content' ? 204 : 200)
  })
})

describe('what the gateway accepts is described', () => {
  const lists = '/api/invoice/list'
  const bodies: readonly (readonly [path: string, body: object])[] = [
    ['/api/single/point/import/complete', { id: '2' }],
    ['/api/single/point/import/complete', { id: 3, note: 'more' }],
    [lists, { page: '1', perPage: '2' }],
    [lists, { page: null, perPage: '', sortBy: [], sortOrder: {}, search: null, statusId: '' }],
    [lists, { isPayment: true }],
    [lists, { isPayment: 'false' }],
    [lists, { isPayment: 1 }],
    [lists, { isPayment: '0' }],
    [lists, { id: '1', statusId: 2, number: 12345, search: 12 }],
    [lists, { statusId: 4 }],
    [lists, { statusId: '4', unknown: { filter: true } }],
    [lists, { dateAtBetween: [], paymentExpirationAtBetween: null }],
    [lists, { dateAtBetween: { startAt: '2025-01-01T00:00:00+03:00', endAt: null } }],
    [lists, { dateAtBetween: '' }],
    ['/auth/application', { clientId: 'demo-client', secretKey: 'demo-secret', more: 1 }],
    [
      '/api/calculate/price',
      { countryId: 57, city: null, packages: [{ id: 'a', length: 1, size: 1, height: 1, weight: 1 }] },
    ],
  ]

  it.each(bodies)('%s %j', async (path, body) => {
    const { status, text } = await call({ path, body: JSON.stringify(body) })
    expect([200, 204], text).toContain(status)
    expect(check(bodySchemaAt(path), body)).toBeNull()
  })

  it.each([
    ['/country/all?id=', 'id', ''],
    ['/country/all?isGuarantee=1', 'isGuarantee', 1],
    ['/country/all?isGuarantee=true', 'isGuarantee', true],
    ['/country/all?isGuarantee=0&search=', 'isGuarantee', 0],
    ['/country/all?sortBy=nothing', 'sortBy', 'nothing'],
    ['/country/all?sortOrder=DESC', 'sortOrder', 'DESC'],
    ['/city/all?countryId=57', 'countryId', 57],
    ['/county/all?cityId=34&sortBy=', 'sortBy', ''],
    ['/api/currency?sortBy=buyingRateTry', 'sortBy', 'buyingRateTry'],
  ])('%s', async (path, name, value) => {
    expect((await call({ method: 'GET', path })).status).toBe(200)
    const [route = ''] = path.split('?')
    const parameters = parametersAt(route)
    const index = parameters.findIndex((parameter) => parameter.name === name)
    const mayBeEmpty = parameters[index]?.allowEmptyValue === true && value === ''
    const place = `/paths/${route.replaceAll('/', '~1')}/get/parameters/${index}/schema`
    expect(mayBeEmpty || check(place, value) === null).toBe(true)
  })
})

function parametersAt(route: string): readonly { readonly name?: string; readonly allowEmptyValue?: boolean }[] {
  const { paths } = document as { paths: Record<string, { get: { parameters: [] } }> }
  return paths[route]?.get.parameters ?? []
}
