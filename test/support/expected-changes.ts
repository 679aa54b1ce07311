import type { Client } from './invented-clients.ts'

/** All that a guide may say of an operation: `legacy → v1: change`, in any order. */
export interface Changes {
  readonly request: readonly string[]
  readonly answer: readonly string[]
  readonly errors: readonly string[]
  readonly lost: readonly string[]
}

const NOTHING: Changes = { request: [], answer: [], errors: [], lost: [] }
const inBody = (v1: string): string => `(body) → ${v1}: envelope`

/** docs/contract.md 6.1: the token was at the root. */
const LOGIN: Changes = { ...NOTHING, answer: [inBody('data')] }

/** docs/contract.md 6.8 and 7.1. */
const INVOICES = [
  ...['data → items: envelope', 'pagination → meta: envelope'],
  ...[
    'data[].dateAt → items[].dateAt: converted',
    'data[].paymentExpirationAt → items[].paymentExpirationAt: converted',
  ],
  ...['data[].currency.code → items[].currencyCode: renamed'],
  ...['pagination.count → meta.total: renamed', 'pagination.lastPage → meta.pageCount: renamed'],
]

/** docs/contract.md 6.5: the country of an address nests flags and tax. */
const countryOf = (address: string): readonly string[] =>
  [
    ...[['flagW20', 'flags.w20'] as const, ['flagW40', 'flags.w40'] as const],
    ...[['taxType', 'tax.type'] as const, ['taxMaxValidPrice', 'tax.maxValidPrice'] as const],
  ].map(([legacy, v1]) => `${address}.country.${legacy} → data.${address}.country.${v1}: renamed`)

/** docs/contract.md 6.10 to 6.15: legacy gave the whole list as an array. */
const wholeList = (more: Partial<Changes> = {}): Changes => ({
  ...NOTHING,
  request: ['null → ?page: paging', 'null → ?perPage: paging', ...(more.request ?? [])],
  answer: [inBody('items'), ...(more.answer ?? [])],
})

/**
 * What the contract says that each client must change, by what it sends and gets, and nothing else.
 * @param answers who answered. v1 gives no `orderData`, but codes: docs/contract.md 6.5 and 9.
 */
export const expectedChanges = (
  answers: 'legacy' | 'v1',
): Readonly<Record<Client, Readonly<Record<string, Changes>>>> => ({
  shop: {
    'invoice-list': {
      ...NOTHING,
      request: [
        'isPayment → ?isPaid: renamed, moves into the query',
        ...['page → ?page: moves into the query', 'perPage → ?perPage: moves into the query'],
      ],
      answer: INVOICES,
    },
    package: {
      request: ['products[].unitOfMeasure.code → products[].unitOfMeasureCode: renamed'],
      answer: [
        ...['200 → 201: status', inBody('data'), 'currency.updatedAt → null: not in v1’s answer'],
        ...[...countryOf('recipientAddress'), ...countryOf('senderAddress')],
        ...['createdAt → data.createdAt: converted', 'updatedAt → data.updatedAt: converted'],
      ],
      errors: [answers === 'legacy' ? '406 → 400: status' : '406 → 400 CARRIER_IS_NOT_FOUND: status'],
      lost: [
        'products[].unitOfMeasure.name → null: not taken',
        ...(answers === 'legacy' ? ['orderData → null: not answered'] : []),
      ],
    },
    auth: LOGIN,
  },
  erp: {
    'currency-list': wholeList({
      request: ['sortBy → ?sortBy: other values'],
      answer: [
        '[].rate.sellingRateTry → items[].rates.sellingTry: renamed',
        '[].rate.buyingRateTry → items[].rates.buyingTry: renamed',
        '[].updatedAt → items[].rates.updatedAt: converted',
      ],
    }),
    'country-list': wholeList({
      answer: [
        ...['[].flagW20 → items[].flags.w20: renamed', '[].flagW40 → items[].flags.w40: renamed'],
        '[].taxType → items[].tax.type: renamed',
        '[].taxMaxValidPrice → items[].tax.maxValidPrice: renamed',
      ],
    }),
    ...{ 'city-list': wholeList(), 'county-list': wholeList() },
    ...{ 'unit-list': wholeList(), 'export-code-list': wholeList() },
    auth: LOGIN,
  },
  script: {
    'invoice-list': {
      request: [
        'dateAtBetween.startAt → ?dateFrom: renamed, moves into the query',
        'isPayment → ?isPaid: renamed, moves into the query',
        ...['statusId → ?statusId: moves into the query', 'perPage → ?perPage: moves into the query'],
        ...['search → null: left out', 'unpaid → null: left out'],
      ],
      answer: INVOICES,
      errors: [
        '400 → 422 VALIDATION_FAILED: status',
        'violations[].propertyPath: dateAtBetween.startAt → errors[].path: dateFrom: violation',
        'violations[].propertyPath: statusId → errors[].path: statusId: violation',
      ],
      lost: ['statusId: 4 → null: removed value'],
    },
    auth: LOGIN,
  },
})
