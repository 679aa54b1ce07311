import type { DatabaseSync } from 'node:sqlite'
import { typeMaskOf } from '../shipments/create-shipment.ts'
import { insertRow } from '../store/sandbox-rows.ts'
import { organizations } from './seed-parties.ts'
import { seededRandom } from './seeded-random.ts'

const dayMs = 24 * 60 * 60 * 1000
const firstChargeId = 501
const charges = 48
const firstDayMs = Date.UTC(2025, 0, 1)

/** The first id of a shipment, above all transaction ids of seeded charges, whose shipments are not in the store. */
const firstShipmentId = 5001

/** Seeds the charges of shipments in 2025. Every fourth belongs to the other organization. */
export function seedCharges(db: DatabaseSync): void {
  const random = seededRandom(20250101)
  for (let position = 0; position < charges; position++) {
    const isDocument = random.chance(40)
    const freight = isDocument ? random.between(1500, 4000) : random.between(4000, 90_000)
    const parts = [
      freight,
      Math.round(freight * 0.18),
      isDocument || random.chance(70) ? 0 : 2500,
      random.chance(20) ? Math.round(freight / 10) : 0,
      random.chance(10) ? 3000 : 0,
    ]
    const transactionId = 3001 + position
    insertRow(db, 'charges', {
      id: firstChargeId + position,
      organizationId: position % 4 === 3 ? organizations.other.id : organizations.demo.id,
      amountHundredths: parts.reduce((sum, part) => sum + part),
      createdAt: new Date(firstDayMs + position * 7 * dayMs + random.between(0, 86_399) * 1000).toISOString(),
      transactionId,
      // Ids of packages created later never reach 900 million, so no tracking number is used twice.
      trackingNumber: `NX9${String(transactionId).padStart(8, '0')}TR`,
      typeId: isDocument ? 2 : 1,
      billingStatusId: 1,
      typeMask: typeMaskOf(parts),
    })
  }
  // Sets the counter of AUTOINCREMENT, which has no row before the first draft.
  db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run('shipmentDrafts', firstShipmentId - 1)
}
