/**
 * The answers of v1 in the benchmarks (docs/contract.md 4 and 5): records made from their numbers, the same at every
 * start.
 */

export const currencies = ['USD', 'EUR', 'GBP', 'TRY'].map((code, index) => ({
  id: 1 + index,
  code,
  name: `Para birimi ${code}`,
  flagPath: `flags/${code}.svg`,
  rates: { sellingTry: 41.5 + index, buyingTry: 41.1 + index, updatedAt: `2025-06-01T12:3${index}:00.000Z` },
}))

export const invoice = (number: number) => ({
  id: 1001 + number,
  organizationId: 1,
  number: `DEM2025${String(number).padStart(9, '0')}`,
  dateAt: '2025-03-04T10:24:19.000Z',
  paymentExpirationAt: '2025-03-18T10:24:19.000Z',
  priceTry: 1234.5 + number,
  priceUsd: 33.25 + number,
  firstName: 'Işıl',
  lastName: 'Örnek',
  citizenshipNumber: '00053809776',
  company: 'Numune İplik San. ve Tic. A.Ş.',
  taxNumber: '0006296820',
  isPaid: number % 2 === 0,
  status: { id: 3, slug: 'COMPLETED' },
  addressType: { id: 2, slug: 'CORPORATION' },
  currencyCode: currencies[number % currencies.length]?.code ?? 'USD',
})

export const country = (number: number) => ({
  id: 1 + number,
  code: `${String.fromCharCode(65 + Math.floor(number / 26))}${String.fromCharCode(65 + (number % 26))}`,
  name: `Ülke ${number}`,
  phoneCode: `+${number}`,
  isCarrierService: number % 3 > 0,
  tax: { type: 'IOSS', maxValidPrice: 150 },
  flags: { w20: `https://flagcdn.com/w20/${number}.png`, w40: `https://flagcdn.com/w40/${number}.png` },
})

const address = (id: number) => ({
  id,
  firstName: 'Deneme',
  lastName: 'Alıcı',
  company: 'Deneme GmbH',
  email: 'deneme@example.com',
  phone: '+4930123456',
  state: 'BE',
  city: 'Berlin',
  zipCode: '10115',
  address1: 'Deneme Straße 1',
  address2: '',
  country: country(57),
})

const activityStatus = { id: 1, slug: 'CREATED', name: 'Oluşturuldu' }

/** A package shipment of two packages and this many products. */
export const shipment = (products: number) => ({
  id: 5001,
  barcode: 'DEM0000005001',
  trackingNumber: '1Z999AA10123456784',
  trackingUrl: 'https://tracking.example.com/1Z999AA10123456784',
  description: 'Tekstil ürünleri',
  comment: 'Kapıya bırakın',
  type: { id: 2, slug: 'PACKAGE', name: 'Paket' },
  status: { id: 1, slug: 'READY', name: 'Hazır' },
  activityStatus,
  currency: { id: 1, code: 'USD', name: 'Para birimi USD' },
  exportCode: { id: 4, code: 'ETGB', name: 'Mikro ihracat' },
  carrier: {
    id: 1,
    slug: 'EXPRESS',
    name: 'Express',
    service: 'Saver',
    logoUrl: 'https://cdn.example.com/express.png',
  },
  organization: { id: 1, name: 'Numune İplik San. ve Tic. A.Ş.' },
  singlePointImport: { id: 3, name: 'Haziran', carrierShipmentId: 'GCCN0001' },
  recipientAddress: address(1),
  senderAddress: address(2),
  billingAddress: address(3),
  referenceNumbers: ['SIPARIS-1', 'SIPARIS-2'],
  taxIdentificationNumber: '0006296820',
  deliveryTaxType: 1,
  previousTaxStatus: 1,
  isGuarantee: false,
  isOutsource: false,
  customsAccountNumber: '123456',
  customsAccountZipCode: '10115',
  packages: [1, 2].map((id) => ({
    ...{ id, desi: 1.5, size: 10, height: 20, length: 30, weight: 1.25, trackingNumber: `1Z999AA1012345678${id}` },
    activityStatus,
  })),
  products: Array.from({ length: products }, (_, index) => ({
    id: 1 + index,
    hsCode: '610910000000',
    description: `Pamuklu tişört, ${index}. renk`,
    piece: 10 + index,
    unitPrice: 12.25,
    unitOfMeasure: { id: 1, code: 'C62', name: 'Adet' },
    originCountry: { id: 57, code: 'TR', name: 'Türkiye' },
  })),
  createdAt: '2025-06-01T10:24:19.000Z',
  updatedAt: '2025-06-01T10:24:19.000Z',
})

/** An error of two fields, as for an import whose name is in use. */
export const refusal = {
  success: false,
  code: 'VALIDATION_FAILED',
  message: 'Gönderilen bilgiler geçerli değil.',
  errors: [
    { path: 'name', message: 'Bu isim daha önce kullanılmış.' },
    { path: 'carrierShipmentId', message: 'Bu değer geçerli değil.' },
  ],
}

export const record = <Data>(data: Data) => ({ success: true, message: 'İşlem başarılı.', data })

/** One page of a list of this many rows. */
export function page<Row>(row: (number: number) => Row, total: number, number: number, perPage: number) {
  const from = (number - 1) * perPage
  const items = Array.from({ length: Math.max(Math.min(total - from, perPage), 0) }, (_, index) => row(from + index))
  const meta = { page: number, perPage, total, pageCount: Math.ceil(total / perPage) }
  return { success: true, message: 'Kayıtlar listelendi.', items, meta }
}
