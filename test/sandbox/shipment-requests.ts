import { countryId, type OpenSandbox } from './open-sandbox.ts'

export const documents = '/api/v1/shipment/shipments/documents'
export const packages = '/api/v1/shipment/shipments/packages'
export const imports = '/api/v1/shipment/single-point-imports'

export interface Named {
  id: number
  slug: string
  name: string
}

export interface Coded {
  id: number
  code: string
  name: string
}

export interface Address {
  id: number
  firstName: string
  company: string
  state: string
  city: string
  zipCode: string
  country: { id: number; code: string; name: string }
}

export interface Shipment {
  id: number
  barcode: string
  trackingNumber: string
  trackingUrl: string
  type: Named
  status: Named
  activityStatus: Named
  currency: Coded | null
  exportCode: Coded | null
  carrier: { id: number }
  organization: { id: number; name: string }
  singlePointImport: { id: number } | null
  recipientAddress: Address
  senderAddress: Address
  billingAddress: Address | null
  packages: { id: number; desi: number; weight: number; trackingNumber: string }[]
  products: { id: number; unitPrice: number; unitOfMeasure: Coded; originCountry: Coded }[]
  createdAt: string
  updatedAt: string
}

export interface ShipmentBody {
  success: true
  message: string
  data: Shipment
}

export const recipientAddress = (code = 'DE') => ({
  countryId: countryId(code),
  firstName: 'Deneme',
  lastName: 'Alıcı',
  company: 'Örnek GmbH',
  email: 'alici@ornek.example',
  phone: '+4900000000',
  zipCode: '50667',
  state: 'NRW',
  city: 'Köln',
  address1: 'Musterweg 1',
  address2: '2. Etage',
})

/** Every field of endpoint 5 but `id`. */
export const documentBody = (facts: object = {}) => ({
  recipientAddress: recipientAddress(),
  referenceNumbers: ['PO-1', ''],
  isRecipientCompany: true,
  taxIdentificationNumber: 'DE000',
  senderAddressId: 1,
  ...facts,
})

export const istanbul = { id: 34, name: 'İstanbul' }

/** The id of a county of a province, by its name. */
export function countyId({ db }: OpenSandbox, cityId: number, name: string): number {
  return Number(db.prepare('SELECT id FROM counties WHERE cityId = ? AND name = ?').get(cityId, name)?.id)
}

export const newSenderAddress = (county: { id: number; name: string }, facts: object = {}) => ({
  title: 'Yeni depo',
  county,
  city: istanbul,
  address1: 'Taslak Sokak 5',
  address2: 'Kat 2',
  firstName: 'Yeni',
  lastName: 'Gönderici',
  company: 'Taslak Ltd. Şti.',
  phone: '+900000000009',
  zipCode: '34000',
  email: 'yeni@gonderici.example',
  taxType: 2,
  tcNo: '00000000000',
  taxNumber: '0001112223',
  ...facts,
})

export const product = {
  hsCode: '620520',
  description: 'Gömlek',
  piece: 3,
  unitPrice: 12.35,
  unitOfMeasureCode: 'C62',
  originCountryCode: 'TR',
}

/** Every field of endpoint 4 but `id`, `newSenderAddress` and `singlePointImportId`. */
export const packageBody = (facts: object = {}) => ({
  recipientAddress: recipientAddress(),
  packages: [{ length: 30, size: 20, height: 10, weight: 2, piece: 1 }],
  description: 'Tekstil',
  carrierId: 2,
  currencyId: 1,
  exportCodeId: 1,
  products: [product],
  referenceNumbers: ['PO-1'],
  taxNumber: '0009998887',
  deliveryTaxType: 1,
  previousTaxStatus: 0,
  freight: 10.1,
  discount: 0,
  other: 0.5,
  isRecipientCompany: false,
  taxIdentificationNumber: 'DE000',
  isDiffBillingAddress: true,
  billingAddress: recipientAddress('FR'),
  senderAddressId: 1,
  customsAccountNumber: 'CA-1',
  customsAccountZipCode: '50667',
  comment: 'Kapıya bırakmayın',
  ...facts,
})

/** The only charge of a shipment. */
export function chargesOf({ db }: OpenSandbox, shipmentId: number) {
  return db.prepare('SELECT * FROM charges WHERE transactionId = ?').all(shipmentId)
}

export function draftsOf({ db }: OpenSandbox) {
  return db.prepare('SELECT id, organizationId, typeId, request, createdAt, updatedAt FROM shipmentDrafts').all()
}
