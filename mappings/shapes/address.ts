import { givenByService, object, same, shape } from '../../src/mapping/shape.ts'
import { country } from './country.ts'

const lines = {
  firstName: same('string'),
  lastName: same('string'),
  company: same('string'),
  email: same('string'),
  phone: same('string'),
  state: same('string'),
  city: same('string'),
  zipCode: same('string'),
  address1: same('string'),
  address2: same('string'),
}

/** docs/contract.md 5.5 and 6.5: in legacy, the country's flags and tax are flat. Open: other members pass. */
export const address = shape('Address', {
  id: givenByService('address', same('int')),
  ...lines,
  country: object(country),
})

/** docs/contract.md 4.4, `recipientAddress`. Open: other members pass. */
export const requestAddress = shape('Address of a request', { countryId: same('int'), ...lines })

/** An example address for descriptions. A shipment can go to it. */
export const exampleAddress = {
  countryId: 57,
  firstName: 'Deneme',
  lastName: 'Alıcı',
  company: 'Örnek GmbH',
  email: 'alici@ornek.example',
  phone: '+4900000000',
  zipCode: '50667',
  state: 'NRW',
  city: 'Köln',
  address1: 'Musterweg 1',
  address2: '',
}
