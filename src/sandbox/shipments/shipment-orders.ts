import type { DatabaseSync } from 'node:sqlite'
import { findRow, mustBeThere } from '../store/sandbox-rows.ts'
import type { NewRow, Row } from '../store/sandbox-tables.ts'
import { type Measures, roundMeasures, toHundredths } from './prices.ts'
import {
  type DocumentBody,
  findUnitByCode,
  type PackageBody,
  type SentAddress,
  type SentSender,
} from './shipment-requests.ts'
import { shipmentTypes } from './stored-shipments.ts'

/** An address in a request. */
type Address = Omit<NewRow<'addresses'>, 'id' | 'organizationId' | 'role'>

/** A valid request for a shipment, from either face. Missing values are null. */
export interface ShipmentOrder {
  readonly carrierId: number
  readonly recipientAddress: Address
  readonly billingAddress: Address | null
  readonly senderAddressId: number | null
  /** *Assumed*: ignored if there is a senderAddressId. */
  readonly newSenderAddress: Address | null
  readonly singlePointImportId: number | null
  readonly packages: readonly (Measures & { readonly piece: number })[]
  readonly products: readonly Omit<NewRow<'shipmentProducts'>, 'shipmentId'>[]
  /** The columns of the shipment that are stored as sent. */
  readonly facts: Pick<Row<'shipments'>, 'typeId' | 'referenceNumbers' | 'isRecipientCompany'> &
    Partial<Row<'shipments'>>
}

/**
 * Builds the order of a document shipment: always with carrier 1, the express saver service, and always one package of
 * 0 x 0 x 0 cm and 0.5 kg (docs/contract.md 4.5).
 */
export function readDocumentOrder(sent: DocumentBody): ShipmentOrder {
  return {
    carrierId: 1,
    recipientAddress: readAddress(sent.recipientAddress),
    billingAddress: null,
    senderAddressId: sent.senderAddressId ?? null,
    newSenderAddress: null,
    singlePointImportId: null,
    packages: [{ length: 0, size: 0, height: 0, weight: 0.5, piece: 1 }],
    products: [],
    facts: { typeId: shipmentTypes.document.id, ...readCommonFacts(sent) },
  }
}

/** Builds the order of a package shipment. *Assumed*: a billing address is used only if isDiffBillingAddress is true. */
export function readPackageOrder(db: DatabaseSync, sent: PackageBody): ShipmentOrder {
  return {
    carrierId: sent.carrierId,
    recipientAddress: readAddress(sent.recipientAddress),
    billingAddress: sent.isDiffBillingAddress && sent.billingAddress ? readAddress(sent.billingAddress) : null,
    senderAddressId: sent.senderAddressId ?? null,
    newSenderAddress: sent.newSenderAddress ? readNewSender(db, sent.newSenderAddress) : null,
    singlePointImportId: sent.singlePointImportId ?? null,
    packages: sent.packages.map((each) => ({ ...roundMeasures(each), piece: each.piece ?? 1 })),
    products: sent.products.map(({ unitPrice, unitOfMeasureCode, originCountryCode, ...product }) => ({
      ...product,
      unitPriceHundredths: toHundredths(unitPrice),
      unitOfMeasureId: mustBeThere(findUnitByCode(db, unitOfMeasureCode)).id,
      originCountryId: mustBeThere(findRow(db, 'countries', { code: originCountryCode })).id,
    })),
    facts: {
      typeId: shipmentTypes.package.id,
      ...readCommonFacts(sent),
      currencyId: sent.currencyId,
      exportCodeId: sent.exportCodeId,
      description: sent.description,
      comment: sent.comment || null,
      taxNumber: sent.taxNumber || null,
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

function readCommonFacts({ referenceNumbers, isRecipientCompany, taxIdentificationNumber }: DocumentBody) {
  return {
    referenceNumbers: JSON.stringify(referenceNumbers ?? []),
    isRecipientCompany: isRecipientCompany ? 1 : 0,
    taxIdentificationNumber: taxIdentificationNumber || null,
  }
}

/** Converts an address into the stored form. Missing values become empty strings. */
function readAddress(sent: SentAddress): Address {
  return {
    title: '',
    firstName: sent.firstName,
    lastName: sent.lastName,
    company: sent.company ?? '',
    email: sent.email ?? '',
    phone: sent.phone,
    countryId: sent.countryId,
    state: sent.state ?? '',
    city: sent.city,
    zipCode: sent.zipCode ?? '',
    address1: sent.address1,
    address2: sent.address2 ?? '',
    tcNo: '',
    taxNumber: '',
  }
}

/** Converts a new sender address, which is in the country of all sender addresses. */
function readNewSender(db: DatabaseSync, sent: SentSender): Address {
  const place = {
    countryId: mustBeThere(findRow(db, 'countries', { code: 'TR' })).id,
    state: mustBeThere(findRow(db, 'counties', { id: sent.county.id })).name,
    city: mustBeThere(findRow(db, 'cities', { id: sent.city.id })).name,
  }
  return {
    ...readAddress({ ...sent, ...place }),
    title: sent.title ?? '',
    taxType: sent.taxType ?? null,
    tcNo: sent.tcNo ?? '',
    taxNumber: sent.taxNumber ?? '',
  }
}

function readAmount(amount: number | null | undefined): number | null {
  return amount === null || amount === undefined ? null : toHundredths(amount)
}
