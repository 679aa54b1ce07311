import type { DatabaseSync } from 'node:sqlite'
import { type AddressRow, taxTypes } from '../store/addresses.ts'
import { homeCountryId } from '../store/references.ts'
import { insertRow } from '../store/rows.ts'
import { organizations } from './seed-organizations.ts'

/**
 * Addresses 1 and 3 belong to the demo organization, 2 to the other. Address 3 has no tax information, so a shipment
 * from it is refused.
 */
export function seedSenderAddresses(db: DatabaseSync): void {
  const { demo, other } = organizations
  const countryId = homeCountryId(db)
  const common = { role: 'sender', lastName: 'Gönderici', countryId, address2: '', tcNo: '' } as const
  const addresses: AddressRow[] = [
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
      taxType: null,
      taxNumber: '',
    },
  ]
  for (const address of addresses) insertRow(db, 'addresses', address)
}
