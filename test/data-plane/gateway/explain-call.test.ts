import { describe, expect, it } from 'vitest'
import { explain } from '../../../src/guide/lines/explain.ts'
import { explaining } from '../../support/explainer.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { chargeThings, closeThing, createThing, listThings } from '../../support/made-up-operations.ts'
import { startGateway } from '../../support/start-gateway.ts'

const madeUp = [createThing, closeThing, listThings, chargeThings]
const explainMadeUp = explaining({ operations: madeUp })
const explainReal = explaining()
const invoices = (body: object) => explainReal({ path: '/api/invoice/list', body: JSON.stringify(body) })
const urls = ({ requests }: ReturnType<typeof explainReal>) =>
  requests.map(({ url }) => url.replace('http://v1.test/api/v1/finance/invoices', ''))

describe('an explained call', () => {
  it('shows the v1 request with its method, URL, headers and body, digits and all', () => {
    const body = '{"title":"Çay","size":{"width":100.00},"parts":[{"weight":12345678901234567890}],"x":null,"owner":1}'
    const { lines, ...call } = explainMadeUp({ path: '/api/thing', body, headers: { 'Accept-Language': 'en-GB' } })
    expect(call).toEqual({
      operation: 'thing-create',
      says: 'A thing is created.',
      legacy: { method: 'POST', path: '/api/thing' },
      requests: [
        {
          method: 'POST',
          url: 'http://v1.test/api/v1/things',
          headers: {
            Authorization: 'Bearer <ACCESS_TOKEN>',
            'Accept-Language': 'en',
            'Content-Type': 'application/json',
          },
          body: '{"name":"Çay","width":100.00,"parts":[{"weight":12345678901234567890}]}',
          curl: expect.stringMatching(/^curl -X POST 'http:\/\/v1\.test\/api\/v1\/things' \\\n/),
        },
      ],
      dropped: ['owner'],
    })
    expect(lines).toEqual(explain(createThing))
  })

  it('has v1’s path prefix, and no token, language or body when the call has none', () => {
    const explainPrefixed = explaining({ v1: 'https://v1.test/some/where/', operations: madeUp })
    const { requests } = explainPrefixed({ path: '/api/thing/close', body: '{"id":"7"}' })
    expect(requests.map(({ url, body }) => ({ url, body }))).toEqual([
      { url: 'https://v1.test/some/where/api/v1/things/7/close', body: '{}' },
    ])
    const [countries] = explainReal({ method: 'GET', path: '/country/all?code=de' }).requests
    expect(countries).toMatchObject({ headers: {}, body: null })
  })

  it('never shows a token', () => {
    const headers = { authorization: 'Bearer very-secret-token', 'x-other': 'very-secret-token' }
    const call = explainMadeUp({ path: '/api/thing', body: '{}', headers })
    expect(JSON.stringify(call)).not.toContain('very-secret-token')
    expect(call.requests[0]?.curl).toContain('-H "Authorization: Bearer $V1_TOKEN"')
  })

  it('shows the names of secrets in place of their values', () => {
    const login =
      '{ "clientId":"demo", "secretKey" : "s3cr\\"et", "more": [{"api_token":5, "oldPassword":""}], "a": "secretKey" }'
    const [request] = explainReal({ path: '/auth/application', body: login }).requests
    expect(request?.body).toBe(
      '{ "clientId":"demo", "secretKey" : "<SECRET_KEY>", "more": [{"api_token":"<API_TOKEN>", "oldPassword":""}], "a": "secretKey" }',
    )
    expect(JSON.stringify(request)).not.toContain('s3cr')
  })

  it('names the parts of an unused query and of a body of a GET that are not sent', () => {
    expect(explainMadeUp({ path: '/api/thing?a=1&b&a=2', body: '{"color":1}' }).dropped).toEqual(['color', '?a', '?b'])
    expect(explainMadeUp({ method: 'GET', path: '/api/things?a=1', body: '{}' }).dropped).toEqual(['a', '(the body)'])
  })

  it('may be given by a whole URL', () => {
    expect(explainMadeUp({ method: 'GET', path: 'https://legacy.test:8080/api/things?a=1' }).operation).toBe(
      'thing-list',
    )
  })

  it('names the list from which an answer is filled in', () => {
    expect(explainReal({ path: '/api/consignment/document', body: '{}' }).then).toBe(
      'updatedAt is filled in from the list GET /api/v1/shared/currencies, which is read too.',
    )
    expect(explainMadeUp({ path: '/api/thing', body: '{}' })).not.toHaveProperty('then')
  })
})

describe('pages', () => {
  it('are always asked for by number and size', () => {
    expect(urls(invoices({}))).toEqual(['?page=1&perPage=25'])
    const largest = invoices({ perPage: 200, page: 3, isPayment: true })
    expect(urls(largest)).toEqual(['?isPaid=true&page=3&perPage=200'])
    expect(largest).not.toHaveProperty('then')
  })

  it('that are larger than v1’s are composed of several, and the first three are shown', () => {
    const two = invoices({ perPage: 300 })
    expect(urls(two)).toEqual(['?page=1&perPage=200', '?page=2&perPage=200'])
    expect(two.then).toBe(
      'Read these pages, but none beyond meta.pageCount. Legacy answers rows 1 to 300 of the list, which begin with row 1 of the first of these pages.',
    )
    const many = invoices({ perPage: 1_050, page: 2 })
    expect(urls(many)).toEqual(['?page=6&perPage=200', '?page=7&perPage=200', '?page=8&perPage=200'])
    expect(many.then).toMatch(
      /^Then up to page=11, but none beyond .* rows 1051 to 2100 .* row 51 of the first of these pages\.$/,
    )
  })

  it('for a filter value that v1 removed are asked for with one row', () => {
    const removed = invoices({ statusId: 4, isPayment: true, perPage: 500 })
    expect(urls(removed)).toEqual(['?isPaid=true&page=1&perPage=1'])
    expect(removed.then).toContain('legacy answers an empty page')
  })

  it('of a whole list continue, and the explanation says so', () => {
    const list = explainMadeUp({ method: 'GET', path: '/api/things' })
    expect(list.requests.map(({ url }) => url)).toEqual(['http://v1.test/api/v1/things?page=1&perPage=2'])
    expect(list.then).toMatch(/^Then page=2, page=3, … up to meta\.pageCount\. /)
  })

  it('match those that the gateway reads, in order and spelling', async () => {
    const v1 = await startHttpServer(({ target }, response) => {
      const { searchParams } = new URL(target, 'http://v1.test')
      const [page, perPage] = [Number(searchParams.get('page')), Number(searchParams.get('perPage'))]
      const items = Array.from({ length: Math.min(perPage, Math.max(0, 700 - (page - 1) * perPage)) }, () => ({}))
      const meta = { page, perPage, total: 700, pageCount: Math.ceil(700 / perPage) }
      response.end(JSON.stringify({ success: true, message: '', items, meta }))
    })
    const gateway = await startGateway(v1.url)
    const body = JSON.stringify({ search: 'Ğ/&? \'"+', perPage: 350, page: 2 })
    for (const call of [
      { method: 'POST', path: '/api/invoice/list', body },
      { method: 'POST', path: '/api/invoice/list', body: '{"statusId":4,"perPage":9}' },
      { method: 'GET', path: '/country/all?search=%C4%9F%20%2B+x&id=&sortOrder=ASC' },
    ]) {
      const before = v1.received.length
      expect((await gateway.call(call)).status).toBe(200)
      const { requests } = explainReal(call)
      const asked = v1.received.slice(before, before + requests.length).map(({ target }) => `http://v1.test${target}`)
      expect(requests.map(({ url }) => url)).toEqual(asked)
    }
  })
})

describe('a call that would be refused', () => {
  it('is shown with what the client gets, in its language, and with what is wrong in English', () => {
    const body = '{"page":0,"dateAtBetween":{"startAt":"yesterday"},"unknown":1}'
    const { refusal, requests, dropped, operation, lines } = explainReal({ path: '/api/invoice/list', body })
    expect({ operation, requests, dropped }).toEqual({ operation: 'invoice-list', requests: [], dropped: ['unknown'] })
    expect(refusal?.status).toBe(400)
    expect(refusal?.body).toMatchObject({
      message: 'İstek geçerli değil.',
      violations: [{ propertyPath: 'page' }, { propertyPath: 'dateAtBetween.startAt' }],
    })
    expect(refusal?.why).toEqual([
      'The request is not valid.',
      'page: This value must be a whole number from 1 to 2147483647.',
      'dateAtBetween.startAt: This value must be a date written YYYY-MM-DD, or an ISO 8601 timestamp.',
    ])
    expect(lines.length).toBeGreaterThan(0)
    const english = explainReal({ path: '/api/invoice/list', body, headers: { 'accept-language': 'en' } })
    expect(english.refusal?.body).toMatchObject({ message: 'The request is not valid.' })
  })

  it('may have a body that is not a JSON object, or is too large', () => {
    const explainSmall = explaining({ operations: madeUp, maxBodyBytes: 10 })
    const statusAndWhy = (body: string | Uint8Array, explained = explainMadeUp) => {
      const { refusal } = explained({ path: '/api/thing', body })
      return [refusal?.status, ...(refusal?.why ?? [])]
    }
    expect(statusAndWhy('')).toEqual([400, expect.stringContaining('there is no body')])
    expect(statusAndWhy('{"a":')).toEqual([400, 'The request body is not JSON: unexpected at byte 5.'])
    expect(statusAndWhy('[]')).toEqual([400, 'The request body must be a JSON object.'])
    expect(statusAndWhy(Buffer.from([0x22, 0xff, 0x22]))).toEqual([
      400,
      expect.stringContaining('The request body is not UTF-8.'),
    ])
    expect(statusAndWhy('{"çç":"ç"}', explainSmall)).toEqual([413, 'The request body is larger than 10 bytes.'])
  })

  it('is not a call of a list with the filters [], as PHP writes an empty object', () => {
    const explained = (body: string) => explainReal({ path: '/api/invoice/list', body })
    expect(explained('[]').requests).toHaveLength(1)
    expect(explained('[]')).toEqual(explained('{}'))
    expect(explained('[7]').refusal?.status).toBe(400)
  })

  it('may have an unknown path, and the explanation suggests the right one', () => {
    const explainBased = explaining({ operations: madeUp, basePath: '/old' })
    const why = (path: string, method = 'POST') => explainBased({ method, path }).refusal?.why.at(1)
    const meant = (route: string) => `Paths and methods are matched exactly as written; did you mean ${route}?`
    expect(explainBased({ path: '/old/api/thing', body: '{}' }).refusal).toBeUndefined()
    expect(why('/api/thing')).toBe(meant('POST /old/api/thing'))
    expect(why('/old/API//thing/')).toBe(meant('POST /old/api/thing'))
    expect(why('/old/api/%74hing')).toBe(meant('POST /old/api/thing'))
    expect(why('/api/v1/things/7/close')).toBe(
      'This is already a v1 path; its legacy call is POST /old/api/thing/close.',
    )
    expect(explainBased({ path: '/somewhere' }).refusal?.why.slice(1)).toEqual([
      'Any path but these is passed on to the legacy service, if one is configured:',
      ...['POST /old/api/thing', 'POST /old/api/thing/close', 'GET /old/api/things', 'POST /old/api/thing/charges'],
    ])
    expect(why('/%zz/%')).toMatch(/^Any path but these/)
    expect(explainBased({ path: '/nowhere?a=1' })).toMatchObject({
      operation: null,
      says: null,
      legacy: { method: 'POST', path: '/nowhere?a=1' },
      refusal: { status: 404, body: { message: 'Böyle bir adres yok.' } },
      lines: [],
    })
  })

  it('may have the wrong method, and the explanation names the right one', () => {
    const { refusal } = explainMadeUp({ method: 'GET', path: '/api/thing' })
    expect(refusal?.status).toBe(405)
    expect(refusal?.why).toEqual([
      'This method is not allowed here; allowed: POST.',
      'Paths and methods are matched exactly as written; did you mean POST /api/thing?',
    ])
  })
})

describe('a call without an equivalent in v1', () => {
  const call = { path: '/api/thing/charges', body: '{}' }

  it('goes to the legacy service', () => {
    const { requests, refusal, then } = explaining({ operations: madeUp, hasLegacy: true })(call)
    expect({ requests, refusal }).toEqual({ requests: [], refusal: undefined })
    expect(then).toBe('v1 has no equivalent: the call is passed on to the legacy service unchanged.')
  })

  it('is answered with 501 when there is none', () => {
    const { requests, refusal, then } = explainMadeUp(call)
    expect({ requests, refusal }).toEqual({ requests: [], refusal: undefined })
    expect(then).toMatch(/^v1 has no equivalent: .* but none is configured, so it is answered with 501\.$/)
  })
})

describe('a path that no mapping knows', () => {
  const explain = explaining({ operations: madeUp, basePath: '/old', hasLegacy: true })

  it('is passed on when there is a legacy service', () => {
    const { operation, requests, refusal, then } = explain({ method: 'PUT', path: '/old/somewhere?a=1' })
    expect({ operation, requests, refusal }).toEqual({ operation: null, requests: [], refusal: undefined })
    expect(then).toBe('No mapping has this path: the call is passed on to the legacy service unchanged.')
  })

  it('is passed on even when it resembles a known one, and the explanation says so', () => {
    const { refusal, then } = explain({ path: '/old/API//thing/' })
    expect(refusal).toBeUndefined()
    expect(then).toMatch(/^No mapping .* unchanged\. Paths and methods .* did you mean POST \/old\/api\/thing\?$/)
  })

  it.each([
    ['outside the path prefix', '/somewhere'],
    ['of v1', '/old/api/v1/things/7/close'],
    ['that could leave the prefix', '/old/../admin'],
  ])('is refused %s', (_, path) => {
    expect(explain({ path })).toMatchObject({ requests: [], refusal: { status: 404 } })
  })

  it('is not a known path with another method', () => {
    expect(explain({ method: 'GET', path: '/old/api/thing' })).toMatchObject({ refusal: { status: 405 } })
  })
})
