import type { DatabaseSync } from 'node:sqlite'
import { taxTypes } from '../shipments/sender-addresses.ts'
import { findRow, insertRow, mustBeThere } from '../store/sandbox-rows.ts'
import type { NewRow } from '../store/sandbox-tables.ts'

/** The accounts of the sandbox. Their secrets are public, because they protect only invented data. */
export const organizations = {
  demo: { id: 1, name: 'Demo Dış Ticaret A.Ş.', clientId: 'demo-client', secretKey: 'demo-secret' },
  other: { id: 2, name: 'Örnek Işıklandırma Ltd. Şti.', clientId: 'other-client', secretKey: 'other-secret' },
} as const

export function seedOrganizations(db: DatabaseSync): void {
  for (const organization of Object.values(organizations)) insertRow(db, 'organizations', organization)
}

/**
 * Addresses 1 and 3 belong to the demo organization, 2 to the other. Address 3 has no tax information, so a shipment
 * from it is refused.
 */
export function seedSenderAddresses(db: DatabaseSync): void {
  const { demo, other } = organizations
  const countryId = mustBeThere(findRow(db, 'countries', { code: 'TR' })).id
  const common = { role: 'sender', lastName: 'Gönderici', countryId, address2: '', tcNo: '' } as const
  const addresses: NewRow<'addresses'>[] = [
    {
      ...common,
      id: 1,
      organizationId: demo.id,
      title: 'Merkez',
      firstName: 'Demo',
      company: demo.name,
      email: 'demo@gonderici.example',
      phone: '+900000000001',
      state: 'Kadıköy',
      city: 'İstanbul',
      zipCode: '34710',
      address1: 'Örnek Sokak 1',
      taxType: taxTypes.company,
      taxNumber: '0001234567',
    },
    {
      ...common,
      id: 2,
      organizationId: other.id,
      title: 'Depo',
      firstName: 'Örnek',
      company: other.name,
      email: 'ornek@gonderici.example',
      phone: '+900000000002',
      state: 'Bornova',
      city: 'İzmir',
      zipCode: '35040',
      address1: 'Deneme Caddesi 2',
      taxType: taxTypes.company,
      taxNumber: '0007654321',
    },
    {
      ...common,
      id: 3,
      organizationId: demo.id,
      title: 'Vergi bilgisi eksik',
      firstName: 'Demo',
      company: '',
      email: '',
      phone: '+900000000003',
      state: 'Çankaya',
      city: 'Ankara',
      zipCode: '06420',
      address1: 'Taslak Bulvarı 3',
      taxNumber: '',
    },
  ]
  for (const address of addresses) insertRow(db, 'addresses', address)
}

/** Carrier 1 is the express saver service (docs/contract.md 4.5). Everything else about carriers is *assumed*. */
const carriers = [
  ['EXPRESS_SAVER', 'Numune Express', 'Express Saver', 'NX', 1800, 450, 18],
  ['EXPRESS_PLUS', 'Numune Express', 'Express Plus', 'NP', 2600, 600, 18],
  ['ECONOMY_AIR', 'Taslak Kargo', 'Economy Air', 'TK', 1200, 300, 12],
  ['ROAD_STANDARD', 'Sınama Lojistik', 'Road Standard', 'SL', 900, 175, 9],
] as const

export function seedCarriers(db: DatabaseSync): void {
  for (const [index, carrier] of carriers.entries()) {
    const [slug, name, service, trackingPrefix, openingHundredths, halfKiloHundredths, fuelPercent] = carrier
    const host = 'https://carriers.example'
    const file = slug.toLowerCase().replaceAll('_', '-')
    insertRow(db, 'carriers', {
      id: index + 1,
      slug,
      name,
      service,
      logoUrl: `${host}/${file}.png`,
      trackingUrl: `${host}/track/${file}/`,
      trackingPrefix,
      openingHundredths,
      halfKiloHundredths,
      fuelPercent,
    })
  }
}
