const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

export const listRequest = json({
  page: 1,
  perPage: 25,
  isPayment: true,
  dateAtBetween: { startAt: '2025-03-01', endAt: '2025-03-31' },
})

/** v1's page of this many invoices. */
export const invoicePage = (rows: number): Buffer =>
  json({
    success: true,
    message: 'Faturalar listelendi.',
    items: Array.from({ length: rows }, (_, index) => ({
      id: 1001 + index,
      organizationId: 1,
      number: `DEM20250000${String(index).padStart(5, '0')}`,
      dateAt: '2025-03-04T10:24:19.000Z',
      paymentExpirationAt: '2025-03-18T10:24:19.000Z',
      priceTry: 1234.5 + index,
      priceUsd: 33.1 + index,
      firstName: 'Işıl',
      lastName: 'Örnek',
      citizenshipNumber: '00053809776',
      company: 'Numune İplik San. ve Tic. A.Ş.',
      taxNumber: '0006296820',
      isPaid: index % 2 === 0,
      status: { id: 3, slug: 'COMPLETED' },
      addressType: { id: 2, slug: 'CORPORATION' },
      currencyCode: 'USD',
    })),
    meta: { page: 1, perPage: rows, total: rows, pageCount: 1 },
  })

const address = {
  ...{ id: 5, firstName: 'Deneme', lastName: 'Alıcı', company: 'Örnek GmbH', email: 'alici@ornek.example' },
  ...{ phone: '+4900000000', zipCode: '50667', state: 'NRW', city: 'Köln', address1: 'Musterweg 1', address2: null },
}
const product = { hsCode: '620520', description: 'Gömlek', piece: 3, unitPrice: 12.35, originCountryCode: 'TR' }

export const shipmentRequest = json({
  recipientAddress: { ...address, countryId: 57 },
  packages: [{ length: 30, size: 20, height: 10, weight: 2, piece: 1 }],
  products: Array.from({ length: 5 }, () => ({ ...product, unitOfMeasure: { code: 'C62', name: 'Adet' } })),
  ...{ description: 'Tekstil', carrierId: 2, currencyId: 1, exportCodeId: 1, referenceNumbers: ['PO-1'] },
  ...{ deliveryTaxType: 1, previousTaxStatus: 0, isRecipientCompany: false, isDiffBillingAddress: false },
  ...{ senderAddressId: 1, customsAccountNumber: 'CA-1', customsAccountZipCode: '50667', organizationId: 1 },
})

const country = {
  ...{ id: 57, code: 'DE', name: 'Almanya', phoneCode: '+49' },
  ...{ flags: { w20: 'https://flags.example/w20/de.png', w40: 'https://flags.example/w40/de.png' } },
  tax: { type: 1, maxValidPrice: 150 },
}
const state = { id: 1, slug: 'CREATED', name: 'Oluşturuldu' }

export const shipmentRecord = json({
  success: true,
  message: 'Gönderi oluşturuldu.',
  data: {
    ...{ id: 9001, barcode: 'DEM000009001', trackingNumber: 'TRK9001', trackingUrl: 'https://track.example/TRK9001' },
    ...{ description: 'Tekstil', comment: null, type: state, status: state, activityStatus: state },
    currency: { id: 1, code: 'USD', name: 'Dolar' },
    exportCode: { id: 1, code: 'ETGB', name: 'ETGB' },
    carrier: { id: 2, slug: 'ornek', name: 'Örnek', service: 'express', logoUrl: 'https://logos.example/2.png' },
    organization: { id: 1, name: 'Numune İplik' },
    singlePointImport: null,
    ...{ recipientAddress: { ...address, country }, senderAddress: { ...address, country }, billingAddress: null },
    referenceNumbers: ['PO-1'],
    ...{ taxIdentificationNumber: null, deliveryTaxType: 1, previousTaxStatus: 0, isGuarantee: false },
    ...{ isOutsource: false, customsAccountNumber: 'CA-1', customsAccountZipCode: '50667' },
    packages: [
      ...[
        {
          id: 1,
          desi: 1.2,
          size: 20,
          height: 10,
          length: 30,
          weight: 2,
          trackingNumber: 'TRK1',
          activityStatus: state,
        },
      ],
    ],
    products: Array.from({ length: 5 }, (_, index) => ({
      ...{ id: index, hsCode: '620520', description: 'Gömlek', piece: 3, unitPrice: 12.35 },
      unitOfMeasure: { id: 1, code: 'C62', name: 'Adet' },
      originCountry: { id: 1, code: 'TR', name: 'Türkiye' },
    })),
    createdAt: '2025-03-04T10:24:19.000Z',
    updatedAt: '2025-03-04T10:24:19.000Z',
  },
})

export const currencies = json([{ id: 1, code: 'USD', name: 'Dolar', updatedAt: '2025-03-04T10:24:19+00:00' }])

export const validationError = json({
  success: false,
  code: 'VALIDATION_FAILED',
  message: 'Gönderilen bilgiler geçerli değil.',
  errors: [
    { path: 'recipientAddress.email', message: 'Geçerli bir e-posta adresi değil.' },
    { path: 'products.1.unitOfMeasureCode', message: 'Bu alan zorunludur.' },
    { path: 'packages[0].weight', message: 'Sıfırdan büyük olmalıdır.' },
  ],
})
