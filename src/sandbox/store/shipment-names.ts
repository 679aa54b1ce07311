import type { Language } from '../language.ts'

export interface NamedState {
  readonly id: number
  readonly slug: string
  readonly name: Readonly<Record<Language, string>>
}

/*
 * Types and statuses of shipments. *Assumed*: all ids, all slugs except DOCUMENT and READY, and all names
 * (docs/contract.md 13.2). A draft, displayed as Not generated, is a row of another table and appears in no answer.
 */

export const shipmentTypeIds = { package: 1, document: 2 } as const

export type ShipmentTypeId = (typeof shipmentTypeIds)[keyof typeof shipmentTypeIds]

export const shipmentTypes: Readonly<Record<ShipmentTypeId, NamedState>> = {
  1: { id: 1, slug: 'PACKAGE', name: { tr: 'Paket', en: 'Package' } },
  2: { id: 2, slug: 'DOCUMENT', name: { tr: 'Doküman', en: 'Document' } },
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

/** docs/contract.md 10.4: the only value that occurs. */
export const billingStatuses = { 1: 'READY' } as const
