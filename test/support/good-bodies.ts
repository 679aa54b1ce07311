const GERMANY = 57

const recipientAddress = {
  ...{
    countryId: GERMANY,
    firstName: 'Deneme',
    lastName: 'Alıcı',
    company: 'Örnek GmbH',
    email: 'alici@ornek.example',
  },
  ...{ phone: '+4900000000', zipCode: '50667', state: 'NRW', city: 'Köln', address1: 'Musterweg 1', address2: '' },
}
const row = { length: 30, size: 20, height: 10, weight: 2, piece: 1 }
const product = {
  ...{ hsCode: '620520', description: 'Gömlek', piece: 3, unitPrice: 12.35, originCountryCode: 'TR' },
  unitOfMeasure: { code: 'C62', name: 'Adet' },
}
const packageShipment = {
  ...{ recipientAddress, packages: [row], products: [product], description: 'Tekstil', carrierId: 2, currencyId: 1 },
  ...{
    exportCodeId: 1,
    referenceNumbers: ['PO-1'],
    deliveryTaxType: 1,
    previousTaxStatus: 0,
    isRecipientCompany: false,
  },
  ...{ isDiffBillingAddress: false, senderAddressId: 1, customsAccountNumber: 'CA-1', customsAccountZipCode: '50667' },
}

/** Bodies that the sandbox accepts, by the legacy path. */
export const GOOD_BODIES: Readonly<Record<string, readonly object[]>> = {
  '/auth/application': [{ clientId: 'demo-client', secretKey: 'demo-secret' }],
  '/api/calculate/price': [{ countryId: GERMANY, packages: [row, { ...row, id: 7 }] }],
  '/api/calculate/price/country/validate': [{ countryId: GERMANY, city: 'Köln', zipCode: '50667' }],
  '/api/consignment/document': [
    { recipientAddress, referenceNumbers: ['PO-1'], isRecipientCompany: true, senderAddressId: 1 },
  ],
  '/api/consignment/package/advance': [packageShipment],
  '/api/single/point/import': [{ name: 'Tek nokta', shipmentId: 'GCCN-1' }],
  '/api/single/point/import/complete': [{ id: 1 }, { id: '2' }],
  '/api/invoice/list': [
    {},
    { isPayment: true, perPage: 3, page: 2 },
    { statusId: 4 },
    { perPage: 500, sortBy: 'priceTry' },
  ],
  '/api/transaction/charge/list': [{}, { page: 2, perPage: 3 }],
}
