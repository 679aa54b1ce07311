import type { DatabaseSync } from 'node:sqlite'
import type { Message } from '../service.ts'
import { findRow, findRows, mustBeThere } from '../store/sandbox-rows.ts'
import type { Row, TableName } from '../store/sandbox-tables.ts'

export interface NamedState {
  readonly id: number
  readonly slug: string
  readonly name: Message
}

/*
 * Types and statuses of shipments. *Assumed*: all ids, all slugs except DOCUMENT, and all names (docs/contract.md 13.2). A
 * draft, displayed as Not generated, is a row of another table and appears in no answer.
 */

export const shipmentTypes = {
  package: { id: 1, slug: 'PACKAGE', name: { tr: 'Paket', en: 'Package' } },
  document: { id: 2, slug: 'DOCUMENT', name: { tr: 'Doküman', en: 'Document' } },
} as const satisfies Record<string, NamedState>

/** Returns the type of a shipment or of its charge. */
export function typeOf({ typeId }: { typeId: number }): NamedState {
  return typeId === shipmentTypes.document.id ? shipmentTypes.document : shipmentTypes.package
}

/** The status of a shipment that is registered with the carrier. No other transition is documented. */
export const registeredStatus: NamedState = {
  id: 2,
  slug: 'GENERATED',
  name: { tr: 'Oluşturuldu', en: 'Generated' },
}

/** The activity status of a shipment and its packages before the carrier has them. */
export const firstActivityStatus: NamedState = {
  id: 1,
  slug: 'WAITING_FOR_CARRIER',
  name: { tr: 'Taşıyıcıya teslim bekleniyor', en: 'Waiting for the carrier' },
}

export type LocatedAddress = ReturnType<typeof readAddress>
export type Shipment = ReturnType<typeof readShipment>

/** Returns the shipment with this id, which must exist, with all records that its ids refer to. Missing values are null. */
export function readShipment(db: DatabaseSync, id: number) {
  const find = <Table extends TableName>(table: Table, of: number) =>
    mustBeThere(findRow(db, table, { id: of } as unknown as Partial<Row<Table>>))
  const row = find('shipments', id)
  return {
    row,
    organization: find('organizations', row.organizationId),
    carrier: find('carriers', row.carrierId),
    currency: row.currencyId === null ? null : find('currencies', row.currencyId),
    exportCode: row.exportCodeId === null ? null : find('exportCodes', row.exportCodeId),
    singlePointImport: row.singlePointImportId === null ? null : find('singlePointImports', row.singlePointImportId),
    recipientAddress: readAddress(db, row.recipientAddressId),
    senderAddress: readAddress(db, row.senderAddressId),
    billingAddress: row.billingAddressId === null ? null : readAddress(db, row.billingAddressId),
    packages: findRows(db, 'shipmentPackages', { shipmentId: id }),
    products: findRows(db, 'shipmentProducts', { shipmentId: id }).map((product) => ({
      ...product,
      unitOfMeasure: find('unitsOfMeasure', product.unitOfMeasureId),
      originCountry: find('countries', product.originCountryId),
    })),
  }
}

/** Returns the address with this id, which must exist, and its country. */
export function readAddress(db: DatabaseSync, id: number) {
  const address = mustBeThere(findRow(db, 'addresses', { id }))
  return { ...address, country: mustBeThere(findRow(db, 'countries', { id: address.countryId })) }
}

/**
 * Returns the carrier's tracking number of a piece. *Assumed*: it is made from the piece's id, and the first piece's
 * number is that of the whole shipment.
 */
export function trackingNumberOf({ trackingPrefix }: Row<'carriers'>, piece: { id: number } | undefined): string {
  return `${trackingPrefix}${String(mustBeThere(piece).id).padStart(9, '0')}TR`
}
