import { randomInt } from 'node:crypto'

const recipientAddress = () => ({
  ...{ countryId: 57, firstName: 'Deneme', lastName: 'Alıcı', company: 'Örnek GmbH' },
  ...{ email: `alici${randomInt(1e6)}@ornek.example`, phone: '+49 221 0000000', zipCode: '50667', state: 'NRW' },
  ...{ city: 'Köln', address1: `Musterweg ${randomInt(1, 200)}`, address2: '2. Etage' },
})

/** A shipment of documents, as a legacy program sends it. */
export const documentShipment = (): object => ({
  ...{ recipientAddress: recipientAddress(), referenceNumbers: [`PO-${randomInt(1e6)}`] },
  ...{ isRecipientCompany: true, taxIdentificationNumber: 'DE000', senderAddressId: 1 },
})

/** A shipment of packages, as a legacy program sends it. */
export const packageShipment = (): object => ({
  ...{ recipientAddress: recipientAddress(), senderAddressId: 1, description: 'Tekstil' },
  ...{ carrierId: 1, currencyId: 146, exportCodeId: 1 },
  packages: [{ length: randomInt(5, 60), size: 20, height: 10, weight: randomInt(1, 9), piece: 1 }],
  products: [
    {
      ...{ hsCode: '610910', description: 'Tişört', piece: randomInt(1, 9), unitPrice: 12.5, originCountryCode: 'TR' },
      unitOfMeasure: { code: 'C62', name: 'Adet' },
    },
  ],
})
