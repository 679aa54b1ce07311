import { client } from './hey-api/client.gen.js'
import * as api from './hey-api/index.js'

// Calls the address in the description's `servers` by default. Prints the status of each call, and whether its answer
// matched.

interface Done<Data, Problem> {
  readonly data: Data | undefined
  readonly error: Problem | undefined
  readonly response?: Response
}

async function show<Data, Problem>(
  operation: string,
  call: Promise<Done<Data, Problem>>,
  isRight: (data: Data) => boolean,
) {
  const { data, error, response } = await call
  const isAsDescribed = data !== undefined && isRight(data)
  console.log(`${operation} ${response?.status} ${isAsDescribed ? 'right' : `wrong: ${JSON.stringify(error)}`}`)
  return data
}

const credentials = { clientId: 'demo-client', secretKey: 'demo-secret' }
const login = await show('auth', api.auth({ body: credentials }), ({ token }) => token.length > 0)
client.setConfig({ auth: () => login?.token })

const recipientAddress: api.AddressOfARequest = {
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
}
const measures = { length: 30, size: 20, height: 10, weight: 2, piece: 1 }
const destination = { countryId: 57, city: 'Köln', zipCode: '50667' }
const shipment = { recipientAddress, isRecipientCompany: false, senderAddressId: 1 }

await show(
  'price',
  // An open shape allows members that docs/contract.md does not show.
  api.price({ body: { ...destination, packages: [{ id: 7, ...measures }] } }),
  ([quote]) => quote?.packages?.[0]?.id === 7 && quote.currencyCode === 'USD',
)
await show('validate-destination', api.validateDestination({ body: destination }), () => true)
await show(
  'document',
  api.document_({ body: { ...shipment, referenceNumbers: ['PO-1'] } }),
  ({ id, freightPrice, organization }) => Number.isInteger(id) && freightPrice === null && organization?.id === 1,
)
await show(
  'package',
  api.package_({
    body: {
      ...shipment,
      ...{ packages: [measures], carrierId: 2, currencyId: 1, exportCodeId: 1, description: 'Tekstil' },
      ...{ deliveryTaxType: 1, previousTaxStatus: 0, isDiffBillingAddress: false },
      products: [
        {
          ...{ hsCode: '620520', description: 'Gömlek', piece: 3, unitPrice: 12.35, originCountryCode: 'TR' },
          unitOfMeasure: { code: 'C62', name: 'Adet' },
        },
      ],
      ...{ customsAccountNumber: 'CA-1', customsAccountZipCode: '50667' },
    },
  }),
  ({ orderData, products }) => orderData === null && products?.[0]?.unitOfMeasure?.code === 'C62',
)
const made = await show(
  'import-create',
  api.importCreate({ body: { name: 'With hey-api', shipmentId: 'GCCN-1' } }),
  ({ shipmentId, createdAt }) => shipmentId === 'GCCN-1' && createdAt === null,
)
await show('import-complete', api.importComplete({ body: { id: String(made?.id) } }), () => true)
await show(
  'invoice-list',
  api.invoiceList({
    body: { page: 1, perPage: '2', search: null, isPayment: true, dateAtBetween: { startAt: '2020-01-01', endAt: '' } },
  }),
  ({ data: [first], pagination }) => {
    const count: number = pagination.count
    // @ts-expect-error a closed shape has no other members: v1 added this one.
    return count >= pagination.lastPage && first?.organizationId === undefined && typeof first?.id === 'number'
  },
)
await show(
  'charge-list',
  api.chargeList({ body: { page: 1, perPage: 2 } }),
  ({ data, pagination }) => data.length === 2 && pagination.perPage === 2,
)
await show('country-list', api.countryList({ query: { id: 57, isGuarantee: 0, sortBy: 'name' } }), (countries) =>
  countries.every(({ id }) => id === 57),
)
await show('city-list', api.cityList({ query: { countryId: 225 }, headers: { 'Accept-Language': 'en' } }), (cities) =>
  cities.some(({ name }) => name === 'İstanbul'),
)
await show(
  'county-list',
  api.countyList({ query: { cityId: 34 } }),
  (counties) => counties.length > 0 && counties.every(({ cityId }) => cityId === 34),
)
await show(
  'currency-list',
  api.currencyList({ query: { sortBy: 'sellingRateTry', sortOrder: 'DESC' } }),
  ([first]) => Number(first?.rate?.sellingRateTry) > 0,
)
await show('unit-list', api.unitList(), (units) => units.length > 0)
await show('export-code-list', api.exportCodeList(), (codes) => codes.length > 0)
