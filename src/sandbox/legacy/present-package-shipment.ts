import { type Language, nameOf } from '../language.ts'
import { desiOf } from '../shipping/measure.ts'
import { firstActivityStatus, registeredStatus, shipmentTypes } from '../store/shipment-names.ts'
import { numbersOf, type PackageRow, type Shipment, type ShipmentRow, trackingNumberOf } from '../store/shipments.ts'
import { presentAddress } from './present-address.ts'
import { presentCarrier } from './present-carrier.ts'
import { presentState } from './present-state.ts'
import { legacyTimestamp } from './timestamp.ts'

/**
 * The language of the names of type, status, country and origin country. In v1 they follow Accept-Language, which is a
 * change (docs/contract.md 6.5), so in legacy they do not. *Assumed*: they are in the default language.
 */
const fixed: Language = 'tr'

/**
 * Builds the shipment of v1 (docs/contract.md 5.4) without v1's changes: flat countries, `currency.updatedAt`,
 * `orderData`, `singlePointImport.shipmentId`, and legacy timestamps. `ratesTime` is when the rates of its currency
 * were set.
 */
export function presentPackageShipment(shipment: Shipment, ratesTime: string, language: Language) {
  const { row, currency, singlePointImport, billingAddress } = shipment
  return {
    id: row.id,
    ...numbersOf(shipment),
    description: row.description,
    comment: row.comment,
    type: presentState(shipmentTypes[row.typeId], fixed),
    status: presentState(registeredStatus, fixed),
    activityStatus: presentState(firstActivityStatus, fixed),
    currency: currency && { ...currency, updatedAt: legacyTimestamp(ratesTime) },
    exportCode: shipment.exportCode,
    carrier: presentCarrier(shipment.carrier),
    organization: shipment.organization,
    singlePointImport: singlePointImport && {
      id: singlePointImport.id,
      name: singlePointImport.name,
      shipmentId: singlePointImport.carrierShipmentId,
    },
    recipientAddress: presentAddress(shipment.recipientAddress, fixed),
    senderAddress: presentAddress(shipment.senderAddress, fixed),
    billingAddress: billingAddress && presentAddress(billingAddress, fixed),
    referenceNumbers: JSON.parse(row.referenceNumbers) as string[],
    taxIdentificationNumber: row.taxIdentificationNumber,
    deliveryTaxType: row.deliveryTaxType,
    previousTaxStatus: row.previousTaxStatus,
    isGuarantee: false,
    isOutsource: false,
    customsAccountNumber: row.customsAccountNumber,
    customsAccountZipCode: row.customsAccountZipCode,
    orderData: presentOrderData(row),
    packages: shipment.packages.map((each) => presentPackage(each, shipment)),
    products: shipment.products.map((product) => presentProduct(product, language)),
    createdAt: legacyTimestamp(row.createdAt),
    updatedAt: legacyTimestamp(row.updatedAt),
  }
}

/** *Assumed* (docs/contract.md 13.2; it can be null): the amounts of the request that do not belong to its goods. */
function presentOrderData({ freightHundredths, discountHundredths, otherHundredths }: ShipmentRow) {
  const amounts = { freight: freightHundredths, discount: discountHundredths, other: otherHundredths }
  if (Object.values(amounts).every((hundredths) => hundredths === null)) return null
  return Object.fromEntries(
    Object.entries(amounts).map(([name, hundredths]) => [name, hundredths === null ? null : hundredths / 100]),
  )
}

function presentPackage(row: PackageRow, { carrier }: Shipment) {
  return {
    id: row.id,
    desi: desiOf(row),
    size: row.size,
    height: row.height,
    length: row.length,
    weight: row.weight,
    trackingNumber: trackingNumberOf(carrier, row),
    activityStatus: presentState(firstActivityStatus, fixed),
  }
}

/** The unit's name is not among v1's changes, so it follows the language (docs/contract.md 2.3). */
function presentProduct(product: Shipment['products'][number], language: Language) {
  const { unitOfMeasure, originCountry } = product
  return {
    id: product.id,
    hsCode: product.hsCode,
    description: product.description,
    piece: product.piece,
    unitPrice: product.unitPriceHundredths / 100,
    unitOfMeasure: { id: unitOfMeasure.id, code: unitOfMeasure.code, name: nameOf(unitOfMeasure, language) },
    originCountry: { id: originCountry.id, code: originCountry.code, name: nameOf(originCountry, fixed) },
  }
}
