/** Where an operation's answers and requests have their members in both interfaces, by docs/contract.md 4 to 7. */
export interface ContractNames {
  /** What a path of a row or record begins with, as `[]` or `data[]`. Undefined: the answer has no members. */
  readonly root?: { readonly legacy: string; readonly v1: string }
  /** Members that v1 has under another path: legacy path to v1 path, both within a row or record. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Whether the contract leaves members of the answer open. The gateway passes those on under the name that v1 has. */
  readonly isOpen?: boolean
  /** Parameters or members of a request that v1 has under another path. */
  readonly renamedRequest?: Readonly<Record<string, string>>
}

const record = { legacy: '', v1: 'data' }
const wholeList = { legacy: '[]', v1: 'items[]' }
const page = { legacy: 'data[]', v1: 'items[]' }

const country = {
  taxType: 'tax.type',
  taxMaxValidPrice: 'tax.maxValidPrice',
  flagW20: 'flags.w20',
  flagW40: 'flags.w40',
}

/** The renamed members of a country that is a member itself. */
const countryAt = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(country).map(([legacy, v1]) => [`${path}.${legacy}`, `${path}.${v1}`]))

/** The operations that can deviate, by the id of their mapping in the gateway. */
export const contractNames: Readonly<Record<string, ContractNames>> = {
  price: {
    root: wholeList,
    renamed: {
      fuelSurcharges: 'fuelSurcharge',
      'packages[].additionalFees[].type': 'packages[].additionalFees[].slug',
      'packages[].additionalFees[].desc': 'packages[].additionalFees[].name',
      'packages[].additionalFees[].value': 'packages[].additionalFees[].amount',
    },
    isOpen: true,
  },
  'validate-destination': {},
  document: { root: record },
  package: {
    root: record,
    renamed: {
      'singlePointImport.shipmentId': 'singlePointImport.carrierShipmentId',
      ...countryAt('recipientAddress.country'),
      ...countryAt('senderAddress.country'),
      ...countryAt('billingAddress.country'),
    },
    renamedRequest: { 'products[].unitOfMeasure.code': 'products[].unitOfMeasureCode' },
  },
  'import-create': {
    root: record,
    renamed: { shipmentId: 'carrierShipmentId' },
    renamedRequest: { shipmentId: 'carrierShipmentId' },
  },
  'invoice-list': {
    root: page,
    renamed: { 'currency.code': 'currencyCode' },
    renamedRequest: {
      isPayment: 'isPaid',
      'dateAtBetween.startAt': 'dateFrom',
      'dateAtBetween.endAt': 'dateTo',
      'paymentExpirationAtBetween.startAt': 'paymentExpirationFrom',
      'paymentExpirationAtBetween.endAt': 'paymentExpirationTo',
    },
  },
  'country-list': { root: wholeList, renamed: country },
  'city-list': { root: wholeList, isOpen: true },
  'county-list': { root: wholeList, isOpen: true },
  'currency-list': {
    root: wholeList,
    renamed: {
      'rate.sellingRateTry': 'rates.sellingTry',
      'rate.buyingRateTry': 'rates.buyingTry',
      updatedAt: 'rates.updatedAt',
    },
  },
  'unit-list': { root: wholeList, isOpen: true },
  'export-code-list': { root: wholeList, isOpen: true },
}
