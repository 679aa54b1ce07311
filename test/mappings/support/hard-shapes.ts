import { timestampConverter } from '../../../src/mapping/converter.ts'
import { fromReference, fromRequestRow } from '../../../src/mapping/filled-lines.ts'
import { assumed, from, list, lost, object, type Shape, same, shape, timestamp } from '../../../src/mapping/shape.ts'

const named = shape('id, slug and name', { id: same(), slug: same(), name: same() }, { closed: true })

const country = shape('Country', {
  flagW20: from('flags.w20'),
  flagW40: from('flags.w40'),
  taxType: from('tax.type'),
  taxMaxValidPrice: from('tax.maxValidPrice'),
})
const address = shape('Address', { country: object(country) })

const currencyOfShipment = shape('Currency of a shipment', {
  updatedAt: assumed(
    'v1 has it in the currency list only',
    fromReference(
      { list: 'currency-list', match: 'code', sibling: 'code', take: 'rates.updatedAt' },
      { converted: timestampConverter },
    ),
  ),
})

/** docs/contract.md 4.4: the request is listed whole. */
export const packageRequest = shape(
  'Package request',
  {
    recipientAddress: same(),
    packages: same(),
    carrierId: same(),
    currencyId: same(),
    products: list(
      shape('Product', {
        'unitOfMeasure.code': from('unitOfMeasureCode'),
        'unitOfMeasure.name': lost('v1 knows a unit by its code'),
      }),
    ),
    referenceNumbers: same(),
    billingAddress: same(),
    newSenderAddress: same(),
    id: same(),
  },
  { closed: true },
)

export const shipment = shape('Shipment', {
  currency: object(currencyOfShipment),
  singlePointImport: object(shape('Import of a shipment', { shipmentId: from('carrierShipmentId') })),
  recipientAddress: object(address),
  senderAddress: object(address),
  billingAddress: object(address),
  products: list(shape('Product of a shipment', { originCountry: object(country) })),
  orderData: lost('v1 does not return it'),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

const party = shape(
  'Party',
  {
    id: same(),
    firstName: same(),
    lastName: same(),
    company: same(),
    country: object(shape('id, code and name', { id: same(), code: same(), name: same() }, { closed: true })),
  },
  { closed: true },
)

/** docs/contract.md 7.3: listed whole. */
export const documentShipment = shape(
  'Document shipment',
  {
    id: same(),
    type: object(named),
    status: object(named),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    barcode: same(),
    packages: list(shape('Package', { id: same(), desi: same(), activityStatus: object(named) }, { closed: true })),
    recipientAddress: object(party),
    senderAddress: object(party),
    freightPrice: lost('v1 has no prices'),
    peakPrice: lost('v1 has no prices'),
    taxNumber: lost('v1 does not return it'),
    taxIdentificationNumber: same(),
    currency: same(),
  },
  { closed: true },
)

export const quote: Shape = shape('Quote', {
  fuelSurcharges: from('fuelSurcharge'),
  packages: list(
    shape('Package of a quote', {
      id: assumed('v1 does not return it', fromRequestRow('packages', 'id')),
      piece: assumed('v1 does not return it', fromRequestRow('packages', 'piece')),
      perimeter: lost('v1 does not return it'),
      additionalFees: list(shape('Fee', { type: from('slug'), desc: from('name'), value: from('amount') })),
    }),
  ),
})

export const currency = shape(
  'Currency',
  {
    'rate.sellingRateTry': from('rates.sellingTry'),
    'rate.buyingRateTry': from('rates.buyingTry'),
    updatedAt: timestamp('rates.updatedAt'),
  },
  { v1Only: { flagPath: 'added in v1' } },
)

export const singlePointImport = shape('Single point import', {
  shipmentId: from('carrierShipmentId'),
  senderAddress: lost('v1 does not return it'),
  createdAt: lost('v1 does not return it'),
})
