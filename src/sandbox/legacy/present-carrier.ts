import type { CarrierRow } from '../store/carriers.ts'

/** *Assumed*: as in v1. */
export function presentCarrier({ id, slug, name, service, logoUrl }: CarrierRow) {
  return { id, slug, name, service, logoUrl }
}
