import type { DatabaseSync } from 'node:sqlite'
import { typeMaskOf } from '../shipments/create-shipment.ts'
import { insertRow } from '../store/sandbox-rows.ts'
import type { Row } from '../store/sandbox-tables.ts'
import { organizations } from './seed-parties.ts'

const firstYear = 2024
const months = 24
const firstInvoiceId = 1001
const dayMs = 24 * 60 * 60 * 1000

/** Invoice numbers with characters that are wildcards in LIKE, by the position of the invoice. */
const awkwardNumbers = new Map([
  [21, 'KAMPANYA%10-2024'],
  [57, 'ELDEN_2024_1'],
  [90, 'ELDEN-2024-1'],
])

/**
 * Seeds two years of invoices: 144 of the demo organization and 40 of the other, with mixed ids. Within a month, ids
 * are not in order of date, so that a list sorted by date differs from one sorted by id.
 */
export function seedInvoices(db: DatabaseSync): void {
  const random = seededRandom(20240101)
  let position = 0
  for (let month = 0; month < months; month++) {
    const others = month % 3 === 0 ? 1 : 2
    for (let place = 0; place < 6 + others; place++) {
      const organization = place % 3 === 2 && place / 3 < others ? organizations.other : organizations.demo
      insertRow(db, 'invoices', inventInvoice(random, organization, month, position++))
    }
  }
}

function inventInvoice(
  random: Random,
  organization: { id: number; clientId: string },
  month: number,
  position: number,
): Row<'invoices'> {
  const date = new Date(Date.UTC(firstYear, month, random.between(1, 28)) + inventTimeOfDay(random))
  const due = new Date(date.getTime() + random.pick([7, 15, 30, 45]) * dayMs)
  const priceTryHundredths = inventPrice(random)
  const liraPerDollar = 30 + month / 2
  const isCompany = random.chance(60)
  const party = isCompany ? inventCompany(random) : inventPerson(random)
  return {
    id: firstInvoiceId + position,
    organizationId: organization.id,
    number: awkwardNumbers.get(position) ?? numberOf(organization.clientId, date, position),
    dateAt: date.toISOString(),
    paymentExpirationAt: due.toISOString(),
    priceTryHundredths,
    priceUsdHundredths: Math.round(priceTryHundredths / liraPerDollar),
    ...party,
    isPaid: random.chance(55) ? 1 : 0,
    statusId: random.pick([1, 2, 3, 3]),
    addressTypeId: isCompany ? 2 : 1,
    currencyCode: random.pick(['TRY', 'TRY', 'USD', 'EUR', 'GBP']),
  }
}

/** Three letters, the year and nine digits, like the number of a Turkish e-invoice: all 16 characters. */
function numberOf(clientId: string, date: Date, position: number): string {
  return `${clientId.slice(0, 3).toUpperCase()}${date.getUTCFullYear()}${String(position + 1).padStart(9, '0')}`
}

/** Whole seconds, as in docs/contract.md 8.4. Often the first or last second of a day, where filters tend to fail. */
function inventTimeOfDay(random: Random): number {
  return random.pick([0, dayMs - 1000, random.between(1, 86_398) * 1000, random.between(1, 86_398) * 1000])
}

/** In hundredths. Many prices have no fraction, some are below one lira, and some in the tens of millions. */
function inventPrice(random: Random): number {
  const usual = random.between(10_000, 5_000_000)
  const price = random.pick([random.between(50, 9_999), usual, usual, usual, usual, random.between(1, 9) * 10 ** 9])
  return random.chance(30) ? Math.ceil(price / 10_000) * 10_000 : price + random.between(0, 99)
}

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

/*
 * The recipients of invoices. Members that do not apply are empty.
 */

const firstNames = ['Ayşe', 'Ali', 'Işıl', 'İsmail', 'Şule', 'Çağrı', 'Gökçe', 'Ömer', 'Tuğba', 'Ünal'] as const

/** Turkish for Sample, Trial, Specimen, Test and the like, so clearly no one's name. */
const lastNames = ['Örnek', 'Deneme', 'Numune', 'Sınama', 'Örnekoğlu', 'Taslak', 'Şablon', 'İsimsiz'] as const

const companies = [
  'Örnek Dış Ticaret A.Ş.',
  'Deneme Işıklandırma Ltd. Şti.',
  'Numune İplik San. ve Tic. A.Ş.',
  'Sınama Ağaç Ürünleri Ltd. Şti.',
  'Taslak Yağ ve Gıda A.Ş.',
  'Şablon "Çizgi" Tasarım & Baskı',
] as const

/** Invents a company with a contact person. */
function inventCompany(random: Random) {
  return {
    ...inventName(random),
    citizenshipNumber: '',
    company: random.pick(companies),
    taxNumber: digits(random, 10),
  }
}

/** Invents a private buyer. */
function inventPerson(random: Random) {
  return { ...inventName(random), citizenshipNumber: digits(random, 11), company: '', taxNumber: '' }
}

function inventName(random: Random) {
  return { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
}

/** Invents a number that cannot be anyone's, because no real number starts with three zeros. */
function digits(random: Random, length: number): string {
  return `000${random.between(0, 10 ** (length - 3) - 1)}`.padEnd(length, '0')
}

/** A source of pseudo-random numbers, the same in every run. */
interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** One of the items, which must not be empty. */
  pick<T>(items: readonly [T, ...T[]]): T
  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean
}

/** Creates a Mulberry32 generator: 32 bits of state, and the same numbers on every machine. */
function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    chance: (percent) => next() * 100 < percent,
  }
}
