import type { CarrierRow } from '../store/carriers.ts'

/** docs/contract.md 5.4, `carrier`. */
export function presentCarrier({ id, slug, name, service, logoUrl }: CarrierRow) {
  return { id, slug, name, service, logoUrl }
}
