import { bareList, operation, post } from '../src/mapping/operation.ts'
import { body } from '../src/mapping/request.ts'
import { priceRequest, quote } from './shapes/price.ts'

export default operation('price', {
  says: 'Quotes are in items. fuelSurcharge replaces fuelSurcharges; package rows lose id, piece and perimeter; fees are {slug, name, amount}.',
  legacy: post('/api/calculate/price'),
  v1: post('/api/v1/shipment/price-calculations'),
  request: body(priceRequest, { nulls: 'not sent' }),
  response: bareList(quote),
  effect: 'calculation',
  authorization: 'token',
  example: {
    request: {
      countryId: 57,
      city: 'Köln',
      zipCode: '50667',
      packages: [{ id: 7, length: 130, size: 20, height: 10, weight: 2, piece: 2 }],
    },
    answer: [
      {
        carrier: { id: 1, slug: 'EXPRESS_SAVER', name: 'Numune Express', service: 'Express Saver' },
        fuelSurcharges: 24.3,
        packages: [
          {
            id: 7,
            piece: 2,
            perimeter: null,
            length: 130,
            size: 20,
            height: 10,
            weight: 2,
            additionalFees: [{ type: 'OVERSIZE', desc: 'Büyük boyut ücreti', value: 50 }],
          },
        ],
      },
    ],
  },
})
