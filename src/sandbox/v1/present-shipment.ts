import { type Language, nameOf } from '../language.ts'
import { desiOf } from '../shipping/measure.ts'
import { firstActivityStatus, type NamedState, registeredStatus, shipmentTypes } from '../store/shipment-names.ts'
import { numbersOf, type PackageRow, type Shipment, trackingNumberOf } from '../store/shipments.ts'
import { presentAddress } from './present-address.ts'
import { presentCarrier } from './present-carrier.ts'

/**
 * docs/contract.md 5.4, in its order. Missing values are null. *Assumed*: requests cannot ask for a guarantee or for
 * outsourcing, so both are false.
 */
export function presentShipment(shipment: Shipment, language: Language) {
  const { row, carrier, singlePointImport, billingAddress } = shipment
  const packages = shipment.packages.map((each) => presentPackage(each, shipment, language))
  return {
    id: row.id,
    ...numbersOf(shipment),
    description: row.description,
    comment: row.comment,
    type: presentState(shipmentTypes[row.typeId], language),
    status: presentState(registeredStatus, language),
    activityStatus: presentState(firstActivityStatus, language),
    currency: shipment.currency,
    exportCode: shipment.exportCode,
    carrier: presentCarrier(carrier),
    organization: shipment.organization,
    singlePointImport: singlePointImport && {
      id: singlePointImport.id,
      name: singlePointImport.name,
      carrierShipmentId: singlePointImport.carrierShipmentId,
    },
    recipientAddress: presentAddress(shipment.recipientAddress, language),
    senderAddress: presentAddress(shipment.senderAddress, language),
    billingAddress: billingAddress && presentAddress(billingAddress, language),
    referenceNumbers: JSON.parse(row.referenceNumbers) as string[],
    taxIdentificationNumber: row.taxIdentificationNumber,
    deliveryTaxType: row.deliveryTaxType,
    previousTaxStatus: row.previousTaxStatus,
    isGuarantee: false,
    isOutsource: false,
    customsAccountNumber: row.customsAccountNumber,
    customsAccountZipCode: row.customsAccountZipCode,
    packages,
    products: shipment.products.map((product) => presentProduct(product, language)),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** docs/contract.md 5.6. */
function presentPackage(row: PackageRow, { carrier }: Shipment, language: Language) {
  return {
    id: row.id,
    desi: desiOf(row),
    size: row.size,
    height: row.height,
    length: row.length,
    weight: row.weight,
    trackingNumber: trackingNumberOf(carrier, row),
    activityStatus: presentState(firstActivityStatus, language),
  }
}

/** docs/contract.md 5.7. */
function presentProduct(product: Shipment['products'][number], language: Language) {
  const { unitOfMeasure, originCountry } = product
  return {
    id: product.id,
    hsCode: product.hsCode,
    description: product.description,
    piece: product.piece,
    unitPrice: product.unitPriceHundredths / 100,
    unitOfMeasure: { id: unitOfMeasure.id, code: unitOfMeasure.code, name: nameOf(unitOfMeasure, language) },
    originCountry: { id: originCountry.id, code: originCountry.code, name: nameOf(originCountry, language) },
  }
}

function presentState({ id, slug, name }: NamedState, language: Language) {
  return { id, slug, name: name[language] }
}
