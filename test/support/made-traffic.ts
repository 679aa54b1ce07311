import { readBody } from '../../src/control-plane/evidence/diff/json-value.ts'
import { redactor } from '../../src/exchange/redactor.ts'
import { exchangeLine } from '../../src/recordings/record-line.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from './clean-up.ts'
import { GOOD_BODIES } from './good-bodies.ts'
import { seededRandom } from './seeded-random.ts'

/** A legacy call with its answer, as it was before it was redacted. */
export interface MadeExchange {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: { readonly 'accept-language'?: string; readonly 'content-type'?: string }
  readonly body: string
  readonly status: number
  readonly answer: string
}

const ROWS = ['page', 'perPage']
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'country-list /country/all': [
    '',
    'code=de',
    'search=T%C3%BCr',
    'id=57',
    'isGuarantee=true',
    'sortBy=name&sortOrder=asc',
  ],
  'city-list /city/all': ['countryId=57', 'countryCode=DE&sortBy=name', 'countryId=57&sortOrder=asc'],
  'county-list /county/all': ['cityId=34', 'cityId=6&sortBy=name'],
  'currency-list /api/currency': ['', 'sortBy=sellingRateTry', 'sortBy=name&sortOrder=asc', 'sortBy=nothing'],
  'unit-list /api/unit/of/measure/all': ['', 'sortBy=name', 'search='],
  'export-code-list /api/export/code': ['', 'sortBy=code&sortOrder=desc'],
}
const POSTS: Readonly<Record<string, string>> = {
  price: '/api/calculate/price',
  'validate-destination': '/api/calculate/price/country/validate',
  document: '/api/consignment/document',
  package: '/api/consignment/package/advance',
  'import-create': '/api/single/point/import',
  'import-complete': '/api/single/point/import/complete',
  'charge-list': '/api/transaction/charge/list',
}
const FILTERS: readonly Readonly<Record<string, unknown>>[] = [
  ...[1, 2, 3, 4, '2', 9].map((statusId) => ({ statusId })),
  ...[true, false, '1'].map((isPayment) => ({ isPayment })),
  ...['id', 'number', 'dateAt', 'nothing'].map((sortBy) => ({ sortBy })),
  ...[{ sortOrder: 'asc' }, { search: 'Öz' }, { search: '' }, { id: 3 }, { number: 'A-1' }, { unknown: 1 }],
  ...['2025-01-01', '2025-01-01T00:00:00+00:00', '2025-01-01T00:00:00+03:00', 'yesterday'].map((startAt) => ({
    dateAtBetween: { startAt, endAt: '2027-01-01' },
  })),
  { paymentExpirationAtBetween: { startAt: '2025-01-01', endAt: '2027-01-01' } },
]

/** Asks the legacy interface of a sandbox so many times: every operation, with requests made from a seed. */
export async function madeTraffic(count: number, seed: number): Promise<readonly MadeExchange[]> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const url = sandbox.legacyUrl ?? ''
  const random = seededRandom(seed)
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const login = JSON.stringify({ clientId: 'demo-client', secretKey: 'demo-secret' })
  const json = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/auth/application`, { method: 'POST', headers: json, body: login })
  const { token } = (await signedIn.json()) as { readonly token: string }

  const request = (): Omit<MadeExchange, 'status' | 'answer'> => {
    const language = one([undefined, undefined, 'en', 'tr', 'de'])
    const headers = language === undefined ? {} : { 'accept-language': language }
    const kind = random()
    if (kind < 0.02) {
      return {
        operation: 'auth',
        method: 'POST',
        path: '/auth/application',
        query: '',
        headers: { ...headers, ...json },
        body: login,
      }
    }
    if (kind < 0.4) {
      const [operation = '', path = ''] = one(Object.keys(LISTS)).split(' ')
      return { operation, method: 'GET', path, query: one(LISTS[`${operation} ${path}`] ?? []), headers, body: '' }
    }
    if (kind < 0.75) {
      const page = random() < 0.5 ? {} : { [one(ROWS)]: one([1, 2, 3, 25, 250, 0, '5']) }
      const body = JSON.stringify({ ...page, ...one(FILTERS), ...(random() < 0.3 && one(FILTERS)) })
      return {
        operation: 'invoice-list',
        method: 'POST',
        path: '/api/invoice/list',
        query: '',
        headers: { ...headers, ...json },
        body,
      }
    }
    const operation = one(Object.keys(POSTS))
    const path = POSTS[operation] ?? ''
    const good = { ...one(GOOD_BODIES[path] ?? [{}]) } as Record<string, unknown>
    if (operation === 'import-create' && random() < 0.7) good.name = `Tek nokta ${Math.floor(random() * 1e9)}`
    const name = one(Object.keys(good).concat('none'))
    if (random() < 0.3 && name in good) good[name] = one([null, '', 0, []])
    return { operation, method: 'POST', path, query: '', headers: { ...headers, ...json }, body: JSON.stringify(good) }
  }

  const made: MadeExchange[] = []
  for (let at = 0; at < count; at++) {
    const asked = request()
    const { method, path, query, headers, body } = asked
    const reply = await fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(method === 'POST' && { body }),
    })
    made.push({ ...asked, status: reply.status, answer: await reply.text() })
  }
  return made
}

/** How values that the sandbox does not have may be in answers of a real service. */
const VARIATIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/"priceTry":[-\d.]+/, ['"priceTry":100.00', '"priceTry":0', '"priceTry":-12.5', '"priceTry":1e3']],
  [/"id":\d+/, ['"id":12345678901234567890']],
  [
    /"company":"[^"]*"/,
    ['"company":null', '"company":""', '"company":"Öz \\"A\\" 😀"', `"company":"${'x'.repeat(300)}"`],
  ],
  [/"dateAt":"[^"]*"/, ['"dateAt":"2025-01-31T13:24:19+03:00"', '"dateAt":null']],
  [/"currency":\{[^}]*\}/, ['"currency":null', '"currency":{}']],
  [/"name":"[^"]*"/, ['"name":"ğüş"', '"name":null', '"name":"\\ud83d\\ude00"']],
  [/^\{/, ['{"madeUp":[],', '{"madeUp":[1],']],
]

/** Returns so many exchanges: the given ones, over and over, some of them with other values in their answers. */
export function varied(made: readonly MadeExchange[], count: number, seed: number): readonly MadeExchange[] {
  const random = seededRandom(seed)
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  return Array.from({ length: count }, (_, at) => {
    const exchange = made[at % made.length] as MadeExchange
    if (at < made.length || random() < 0.9) return exchange
    const [where, values] = one(VARIATIONS)
    const answer = exchange.answer.replace(where, one(values))
    return readBody(Buffer.from(answer)).unread === undefined ? { ...exchange, answer } : exchange
  })
}

const TOKEN_KEY = Buffer.alloc(32, 7)

/** Writes exchanges as the gateway records them: one call a second. */
export function recordingOf(exchanges: readonly MadeExchange[]): Buffer {
  const redact = redactor(TOKEN_KEY)
  // Most bodies occur many times.
  const bodies = new Map<string, Buffer | undefined>()
  const body = (json: Uint8Array): Buffer | undefined => {
    const text = Buffer.from(json).toString()
    if (!bodies.has(text)) bodies.set(text, redact.body(json))
    const redacted = bodies.get(text)
    return redacted && Buffer.from(redacted)
  }
  return Buffer.concat(
    exchanges.map(({ operation, method, path, query, headers, status, answer, ...sent }, at) =>
      exchangeLine(
        {
          at: new Date(Date.UTC(2026, 0, 1) + at * 1000),
          replica: 'one',
          client: 'shop',
          operation,
          answeredBy: 'legacy',
          request: { method, path, query, headers, body: Buffer.from(sent.body) },
          answer: { status, body: Buffer.from(answer), milliseconds: 5 },
          recordsBodies: operation !== 'auth',
        },
        { ...redact, body },
      ),
    ),
  )
}
