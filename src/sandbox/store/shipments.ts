import type { DatabaseSync } from 'node:sqlite'
import { type AddressRow, findAddress } from './addresses.ts'
import { type CarrierRow, findCarrier } from './carriers.ts'
import type { CountryRow } from './countries.ts'
import {
  type CodedRow,
  findCountry,
  findCurrency,
  findExportCode,
  findUnitOfMeasure,
  type NamedRow,
} from './references.ts'
import { findRow, findRows, mustBeThere } from './rows.ts'
import type { ShipmentTypeId } from './shipment-names.ts'
import { findSinglePointImport, type SinglePointImportRow } from './single-point-imports.ts'
import type { UnitOfMeasureRow } from './units-of-measure.ts'

/** A shipment that is registered with its carrier. Missing values are null. */
export interface ShipmentRow {
  id: number
  organizationId: number
  typeId: ShipmentTypeId
  carrierId: number
  recipientAddressId: number
  senderAddressId: number
  billingAddressId: number | null
  singlePointImportId: number | null
  currencyId: number | null
  exportCodeId: number | null
  description: string | null
  comment: string | null
  /** A JSON array of strings. */
  referenceNumbers: string
  isRecipientCompany: 0 | 1
  taxNumber: string | null
  taxIdentificationNumber: string | null
  deliveryTaxType: number | null
  previousTaxStatus: number | null
  customsAccountNumber: string | null
  customsAccountZipCode: string | null
  /** The sender declares these three amounts; the carrier charges the prices below them. */
  freightHundredths: number | null
  discountHundredths: number | null
  otherHundredths: number | null
  freightPriceHundredths: number
  peakPriceHundredths: number
  remoteAreaPriceHundredths: number
  createdAt: string
  updatedAt: string
}

/** One piece. */
export interface PackageRow {
  id: number
  shipmentId: number
  length: number
  size: number
  height: number
  weight: number
}

export interface ProductRow {
  id: number
  shipmentId: number
  hsCode: string
  description: string
  piece: number
  unitPriceHundredths: number
  unitOfMeasureId: number
  originCountryId: number
}

export interface LocatedAddress extends AddressRow {
  country: CountryRow
}

/** A shipment with all records that its ids refer to. */
export interface Shipment {
  row: ShipmentRow
  organization: NamedRow
  carrier: CarrierRow
  currency: CodedRow | null
  exportCode: CodedRow | null
  singlePointImport: SinglePointImportRow | null
  recipientAddress: LocatedAddress
  senderAddress: LocatedAddress
  billingAddress: LocatedAddress | null
  packages: PackageRow[]
  products: (ProductRow & { unitOfMeasure: UnitOfMeasureRow; originCountry: CountryRow })[]
}

/** Finds a shipment of the organization. */
export function findShipment(db: DatabaseSync, organizationId: number, id: number): Shipment | undefined {
  const sql = 'SELECT * FROM shipments WHERE organizationId = ? AND id = ?'
  const row = findRow<ShipmentRow>(db, sql, organizationId, id)
  if (row === undefined) return undefined
  const address = (addressId: number) => findLocatedAddress(db, addressId)
  const products = findRows<ProductRow>(db, 'SELECT * FROM shipmentProducts WHERE shipmentId = ? ORDER BY id', id)
  return {
    row,
    organization: mustBeThere(findRow<NamedRow>(db, 'SELECT id, name FROM organizations WHERE id = ?', organizationId)),
    carrier: mustBeThere(findCarrier(db, row.carrierId)),
    currency: ifSet(row.currencyId, (currencyId) => findCurrency(db, currencyId)),
    exportCode: ifSet(row.exportCodeId, (exportCodeId) => findExportCode(db, exportCodeId)),
    singlePointImport: ifSet(row.singlePointImportId, (importId) =>
      findSinglePointImport(db, organizationId, importId),
    ),
    recipientAddress: address(row.recipientAddressId),
    senderAddress: address(row.senderAddressId),
    billingAddress: ifSet(row.billingAddressId, address),
    packages: findRows(db, 'SELECT * FROM shipmentPackages WHERE shipmentId = ? ORDER BY id', id),
    products: products.map((product) => ({
      ...product,
      unitOfMeasure: mustBeThere(findUnitOfMeasure(db, product.unitOfMeasureId)),
      originCountry: mustBeThere(findCountry(db, product.originCountryId)),
    })),
  }
}

/**
 * Returns the carrier's tracking number of a piece. *Assumed*: it is made from the piece's id, and the first piece's
 * number is that of the whole shipment.
 */
export function trackingNumberOf({ trackingPrefix }: CarrierRow, { id }: Pick<PackageRow, 'id'>): string {
  return `${trackingPrefix}${String(id).padStart(9, '0')}TR`
}

/** *Assumed*: the form of the barcode and of the tracking URL. */
export function numbersOf({ row, carrier, packages: [first] }: Shipment) {
  const trackingNumber = trackingNumberOf(carrier, mustBeThere(first))
  return {
    barcode: String(row.id).padStart(12, '0'),
    trackingNumber,
    trackingUrl: carrier.trackingUrl + trackingNumber,
  }
}

/** Returns the address with this id, which must exist. */
export function findLocatedAddress(db: DatabaseSync, id: number): LocatedAddress {
  const address = mustBeThere(findAddress(db, id))
  return { ...address, country: mustBeThere(findCountry(db, address.countryId)) }
}

function ifSet<Row>(id: number | null, find: (id: number) => Row | undefined): Row | null {
  return id === null ? null : mustBeThere(find(id))
}
