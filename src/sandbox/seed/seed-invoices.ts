import type { DatabaseSync } from 'node:sqlite'
import { insertRow } from '../store/sandbox-rows.ts'
import type { Row } from '../store/sandbox-tables.ts'
import { organizations } from './seed-parties.ts'
import { type Random, seededRandom } from './seeded-random.ts'

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
export function inventCompany(random: Random) {
  return {
    ...inventName(random),
    citizenshipNumber: '',
    company: random.pick(companies),
    taxNumber: digits(random, 10),
  }
}

/** Invents a private buyer. */
export function inventPerson(random: Random) {
  return { ...inventName(random), citizenshipNumber: digits(random, 11), company: '', taxNumber: '' }
}

function inventName(random: Random) {
  return { firstName: random.pick(firstNames), lastName: random.pick(lastNames) }
}

/** Invents a number that cannot be anyone's, because no real number starts with three zeros. */
function digits(random: Random, length: number): string {
  return `000${random.between(0, 10 ** (length - 3) - 1)}`.padEnd(length, '0')
}
