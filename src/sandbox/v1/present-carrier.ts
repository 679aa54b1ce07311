import type { CarrierRow } from '../store/carriers.ts'

/** Contract, Shipment, `carrier`. */
export function presentCarrier({ id, slug, name, service, logoUrl }: CarrierRow) {
  return { id, slug, name, service, logoUrl }
}
