import { randomInt } from 'node:crypto'
import { documentShipment, packageShipment } from './shipments.ts'

/** One call of a legacy program. */
export interface DemoCall {
  readonly path: string
  /** Absent for a GET. */
  readonly body?: object
  readonly language?: 'en' | 'tr'
  /** The next call, made from this one's answer. */
  readonly next?: (answer: unknown) => DemoCall
}

const COUNTRIES = 'TR DE US GB FR NL AT BE BG CH CZ DK EE ES FI GR HU IE IT NO PL PT RO SE'.split(' ') as [
  string,
  ...string[],
]
const sorting = (): string => `sortBy=${oneOf(['id', 'name'])}&sortOrder=${oneOf(['asc', 'desc'])}`

/** Each call and its relative frequency. */
const WEIGHTS: readonly (readonly [number, () => DemoCall])[] = [
  [20, () => ({ path: '/api/invoice/list', body: invoiceFilter(), language: oneOf(['tr', 'en']) })],
  [8, () => ({ path: '/country/all', language: oneOf(['tr', 'en']) })],
  [22, () => ({ path: `/city/all?countryCode=${oneOf(COUNTRIES)}&${sorting()}` })],
  [22, () => ({ path: `/county/all?cityId=${randomInt(1, 82)}&${sorting()}` })],
  [12, () => ({ path: '/api/currency' })],
  [12, () => ({ path: '/api/unit/of/measure/all', language: oneOf(['tr', 'en']) })],
  [12, () => ({ path: '/api/export/code' })],
  [22, () => ({ path: '/api/calculate/price', body: priceRequest() })],
  [12, () => ({ path: '/api/calculate/price/country/validate', body: destination() })],
  [
    8,
    () => ({
      path: '/api/single/point/import',
      body: { name: `Ada ${Date.now()} ${randomInt(1e6)}`, shipmentId: `GCCN-${randomInt(1e6)}` },
      next: completeImport,
    }),
  ],
  [2, () => ({ path: '/api/transaction/charge/list', body: {} })],
]

/** Only one account has a sender address, and the copy of v1 has that account's. */
const SHIPMENTS: typeof WEIGHTS = [
  [12, () => ({ path: '/api/consignment/document', body: documentShipment() })],
  [12, () => ({ path: '/api/consignment/package/advance', body: packageShipment() })],
]

/** One call of each kind to start with, so that each operation is called however few calls follow. */
export const eachOnce = (): DemoCall[] => [...WEIGHTS, ...SHIPMENTS].map(([, make]) => make())

/** A random call. @param ships whether the account has a sender address. */
export function nextCall(ships: boolean): DemoCall {
  const all = ships ? [...WEIGHTS, ...SHIPMENTS] : WEIGHTS
  let place = randomInt(all.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of all) {
    if (place < weight) return make()
    place -= weight
  }
  throw new Error('no call has this place')
}

function completeImport(answer: unknown): DemoCall {
  return { path: '/api/single/point/import/complete', body: { id: (answer as { readonly id: number }).id } }
}

function invoiceFilter(): object {
  const month = String(randomInt(1, 13)).padStart(2, '0')
  return {
    perPage: oneOf([5, 10, 25, 50, 250]),
    page: randomInt(1, 4),
    ...(randomInt(2) === 1 && { isPayment: randomInt(2) === 1 }),
    ...(randomInt(3) === 1 && { statusId: randomInt(1, 5) }),
    ...(randomInt(3) === 1 && { dateAtBetween: { startAt: `2025-${month}-01`, endAt: `2025-${month}-28` } }),
    ...(randomInt(4) === 1 && { sortBy: oneOf(['id', 'dateAt', 'priceUsd']), sortOrder: oneOf(['asc', 'desc']) }),
  }
}

const destination = () => ({ countryId: randomInt(1, 250), city: 'Berlin', zipCode: '10115' })

function priceRequest(): object {
  const side = () => randomInt(5, 60)
  return {
    ...destination(),
    packages: Array.from({ length: randomInt(1, 4) }, (_, index) => ({
      ...{ id: index + 1, piece: randomInt(1, 3), weight: randomInt(1, 20) },
      ...{ length: side(), size: side(), height: side() },
    })),
  }
}

const oneOf = <T>(values: readonly [T, ...T[]]): T => values[randomInt(values.length)] ?? values[0]
