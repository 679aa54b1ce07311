import type { Seen } from '../../../../src/control-plane/usage/usage.ts'
import type { UsedOperation } from '../../../../src/guide/client/used-operation.ts'

const NOTHING: Seen = {
  ...{ calls: 0, members: {}, empty: {}, removed: {}, other: 0 },
  ...{ answered: {}, statuses: {}, violations: {}, languages: {} },
}

/** The use of an operation as a test writes it. */
export const used = (
  operation: string,
  calls: number,
  seen: Partial<Seen> = {},
  example?: Partial<NonNullable<UsedOperation['example']>>,
): UsedOperation => ({
  ...{ operation, calls, firstAt: '2026-02-01T08:00:00.000Z', lastAt: '2026-11-20T17:30:00.000Z' },
  seen: { ...NOTHING, calls, languages: { tr: calls }, ...seen },
  example: example && { query: '', language: 'tr', body: undefined, alike: calls, of: calls, ...example },
})

/** Marks every name as shown by so many calls. */
export const marks = (calls: number, ...names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(names.map((name) => [name, calls]))

/** A shop lists its unpaid invoices, and ships packages. */
export const shop: readonly UsedOperation[] = [
  used(
    'package',
    40,
    {
      members: {
        ...marks(40, 'recipientAddress', 'recipientAddress.countryId', 'recipientAddress.firstName'),
        ...marks(40, 'recipientAddress.lastName', 'recipientAddress.email', 'recipientAddress.phone'),
        ...marks(40, 'recipientAddress.zipCode', 'recipientAddress.city', 'recipientAddress.address1'),
        ...marks(40, 'packages', 'packages[].length', 'packages[].size', 'packages[].height', 'packages[].weight'),
        ...marks(40, 'products', 'products[].hsCode', 'products[].description', 'products[].piece'),
        ...marks(40, 'products[].unitPrice', 'products[].unitOfMeasure.code', 'products[].unitOfMeasure.name'),
        ...marks(40, 'products[].originCountryCode', 'carrierId', 'currencyId', 'exportCodeId', 'taxNumber'),
      },
      answered: marks(
        38,
        'id',
        'trackingNumber',
        'recipientAddress',
        'recipientAddress.country.flagW20',
        'createdAt',
        'orderData',
      ),
      statuses: { '200': 38, '406 CARRIER_IS_NOT_FOUND': 2 },
    },
    {
      body: '{"recipientAddress":{"countryId":57,"firstName":"Çkwe","lastName":"Ğp","email":"xke@w.example","phone":"+4900112233","zipCode":"50667","city":"Köln","address1":"Wqxtrolm 7"},"packages":[{"length":30,"size":20,"height":10.50,"weight":2,"piece":1}],"products":[{"hsCode":"620520","description":"Gömlek","piece":3,"unitPrice":12.30,"unitOfMeasure":{"code":"C62","name":"Adet"},"originCountryCode":"TR"}],"carrierId":2,"currencyId":1,"exportCodeId":1,"taxNumber":"4820194471"}',
    },
  ),
  used(
    'invoice-list',
    900,
    {
      members: { isPayment: 900, page: 900, 'dateAtBetween.startAt': 30 },
      answered: marks(890, 'data', 'data[].id', 'data[].dateAt', 'data[].currency.code', 'pagination.lastPage'),
      statuses: { '200': 900 },
    },
    { body: '{"isPayment":false,"page":1}' },
  ),
]

/** An ERP reads all reference lists, in English. */
export const erp: readonly UsedOperation[] = [
  used(
    'currency-list',
    365,
    {
      members: { sortBy: 365 },
      answered: marks(365, '[].id', '[].code', '[].rate.sellingRateTry', '[].updatedAt'),
      statuses: { '200': 300, '304': 65 },
      languages: { en: 365 },
    },
    { query: 'sortBy=sellingRateTry', language: 'en' },
  ),
  used('country-list', 52, {
    answered: marks(52, '[].id', '[].code', '[].name', '[].taxType'),
    statuses: { '200': 52 },
    languages: { en: 52 },
  }),
  used('city-list', 51, { members: { countryCode: 51 }, statuses: { '200': 51 }, languages: { en: 51 } }),
  used('county-list', 50, { statuses: { '200': 50 }, languages: { en: 50 } }),
  used('unit-list', 12, { statuses: { '200': 12 }, languages: { en: 12 } }),
  used('export-code-list', 11, { statuses: { '200': 11 }, languages: { en: 11 } }),
]

/** A script sends half of its filters wrong, and reads the charges too. */
export const script: readonly UsedOperation[] = [
  used(
    'invoice-list',
    100,
    {
      members: { statusId: 20, 'dateAtBetween.endAt': 10, perPage: 60 },
      empty: { search: 40 },
      removed: { statusId: 15 },
      other: 50,
      answered: marks(60, 'data', 'data[].id', 'data[].number'),
      statuses: { '200': 90, '400': 10 },
      violations: { 'dateAtBetween.startAt': 10 },
    },
    { body: '{"paid":false,"search":"","since":"01.02.2026","perPage":500}' },
  ),
  used('charge-list', 7, { statuses: { '200': 7 } }),
]
