import type { DatabaseSync } from 'node:sqlite'
import { roundMeasures, toHundredths } from '../shipping/measure.ts'
import type { NewSenderAddress, ShipmentOrder } from '../shipping/shipment-order.ts'
import {
  findCountryByCode,
  findCounty,
  findHomeCity,
  findUnitOfMeasureByCode,
  homeCountryId,
} from '../store/references.ts'
import { mustBeThere } from '../store/rows.ts'
import { shipmentTypeIds } from '../store/shipment-names.ts'
import type { PackageShipmentBody } from './package-shipment-body.ts'
import { readAddress, readNewSender } from './shipment-fields.ts'

/** Builds the order of a valid body. *Assumed*: a billing address is used only if isDiffBillingAddress is true. */
export function readPackageOrder(db: DatabaseSync, sent: PackageShipmentBody): ShipmentOrder {
  return {
    carrierId: sent.carrierId,
    recipientAddress: readAddress(sent.recipientAddress),
    billingAddress: sent.isDiffBillingAddress && sent.billingAddress ? readAddress(sent.billingAddress) : null,
    senderAddressId: sent.senderAddressId ?? null,
    newSenderAddress: sent.newSenderAddress ? readSenderPlace(db, sent.newSenderAddress) : null,
    singlePointImportId: sent.singlePointImportId ?? null,
    packages: sent.packages.map(({ piece, ...measures }) => ({ ...roundMeasures(measures), piece: piece ?? 1 })),
    products: sent.products.map(({ unitPrice, unitOfMeasureCode, originCountryCode, ...product }) => ({
      ...product,
      unitPriceHundredths: toHundredths(unitPrice),
      unitOfMeasureId: mustBeThere(findUnitOfMeasureByCode(db, unitOfMeasureCode)).id,
      originCountryId: mustBeThere(findCountryByCode(db, originCountryCode)).id,
    })),
    facts: {
      typeId: shipmentTypeIds.package,
      currencyId: sent.currencyId,
      exportCodeId: sent.exportCodeId,
      description: sent.description,
      comment: sent.comment || null,
      referenceNumbers: JSON.stringify(sent.referenceNumbers ?? []),
      isRecipientCompany: sent.isRecipientCompany ? 1 : 0,
      taxNumber: sent.taxNumber || null,
      taxIdentificationNumber: sent.taxIdentificationNumber || null,
      deliveryTaxType: sent.deliveryTaxType ?? null,
      previousTaxStatus: sent.previousTaxStatus ?? null,
      customsAccountNumber: sent.customsAccountNumber || null,
      customsAccountZipCode: sent.customsAccountZipCode || null,
      freightHundredths: readAmount(sent.freight),
      discountHundredths: readAmount(sent.discount),
      otherHundredths: readAmount(sent.other),
    },
  }
}

function readSenderPlace(
  db: DatabaseSync,
  sent: NonNullable<PackageShipmentBody['newSenderAddress']>,
): NewSenderAddress {
  return readNewSender(sent, {
    countryId: homeCountryId(db),
    county: mustBeThere(findCounty(db, sent.county.id)).name,
    city: mustBeThere(findHomeCity(db, sent.city.id)).name,
  })
}

function readAmount(amount: number | null | undefined): number | null {
  return amount === null || amount === undefined ? null : toHundredths(amount)
}
