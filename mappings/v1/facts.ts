import type { V1Facts } from '../../src/mapping/v1-facts.ts'
import { packageShipment } from '../shapes/package-shipment.ts'
import { flag, paged, placeFilters, sortBy, sortOrder, sortOrderOfList } from './query.ts'

const INVALID_CREDENTIALS = 'CLIENT_ID_OR_SECRET_INVALID: the client credentials are not valid'
const IMPORT_COMPLETED =
  'SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: the single point import is completed already'

/** What the contract shows of v1 beside the mappings, by operation (docs/contract.md 4 and 5). */
export const v1Facts: Readonly<Record<string, V1Facts>> = {
  auth: {
    says: 'Gives a token for the client id and the secret key.',
    body: {
      clientId: { assumed: 'the contract does not show the names of the members' },
      secretKey: { assumed: 'the contract does not show the names of the members' },
    },
    errors: { 401: [INVALID_CREDENTIALS], 422: ['a field is missing'] },
  },
  price: {
    says: 'Gives the carriers’ quotes.',
    body: {
      city: { null: 'not sent' },
      zipCode: { null: 'not sent' },
      date: { null: 'not sent' },
      carrierId: { null: 'refused' },
      packages: {
        null: 'refused',
        says: 'A row’s id is not supported, and its piece may be null, which counts as not sent.',
      },
    },
    answer: { fuelSurcharge: {} },
  },
  'validate-destination': {
    says: 'Says whether a destination is suitable.',
    errors: { 422: ['the destination is unsuitable, with a message for each field concerned'] },
  },
  document: {
    says: 'Creates a document shipment and registers it with the carrier.',
    record: packageShipment,
    errors: { 400: ['BAD_REQUEST: the sender address does not belong to the organization'] },
  },
  package: {
    says: 'Creates a package shipment and registers it with the carrier.',
    body: { packages: { notEmpty: true }, products: { notEmpty: true } },
    errors: {
      400: [
        'CARRIER_IS_NOT_FOUND',
        'SENDER_ADDRESS_TAX_INFORMATION_IS_NOT_COMPLETED: cities and counties to choose from are in params.options',
        IMPORT_COMPLETED,
      ],
      422: ['a city that does not match the county, a missing customs zip code, no packages or no products'],
    },
  },
  'import-create': {
    says: 'Creates a single point import.',
    errors: {
      400: ['SINGLE_POINT_IMPORT_CHARGE_FAILED: the charge failed'],
      422: ['the name is in use, with the path name'],
    },
  },
  'import-complete': {
    says: 'Completes a single point import.',
  },
  'invoice-list': {
    says: 'Lists the organization’s invoices.',
    query: {
      ...paged(25, 'The contract does not show legacy’s limit.'),
      sortBy: {
        type: 'string',
        values: ['id', 'number', 'dateAt', 'paymentExpirationAt', 'priceTry', 'priceUsd'],
        default: 'id',
      },
      sortOrder: sortOrderOfList,
      search: {
        ...{ type: 'string', shortest: 1, longest: 255 },
        says: 'Invoices whose id equals it, or whose number contains it. Of several values, separated by commas, each must equal an id or a number.',
      },
      id: { type: 'int', low: 1 },
      number: { type: 'string', shortest: 1, longest: 16, says: 'Exact match.' },
      statusId: { type: 'int', values: [1, 2, 3], says: '1 is NEW, 2 is WAITING, 3 is COMPLETED.' },
      isPaid: flag,
      dateFrom: { type: 'date', says: 'Of the invoice date, inclusive.' },
      dateTo: { type: 'date', says: 'Of the invoice date, inclusive.' },
      paymentExpirationFrom: { type: 'date', says: 'Of the date when payment is due, inclusive.' },
      paymentExpirationTo: { type: 'date', says: 'Of the date when payment is due, inclusive.' },
    },
    answer: { organizationId: { type: 'int' }, number: { type: 'string', longest: 16 } },
  },
  'country-list': {
    says: 'Lists countries. Needs no token.',
    query: {
      ...paged(50),
      sortBy: {
        ...{ type: 'string', values: ['orderNumber', 'name', 'code', 'id', 'isGuarantee'], default: 'orderNumber' },
        says: 'name sorts by the English name. The id breaks ties.',
      },
      sortOrder: sortOrderOfList,
      id: { type: 'int', low: 1 },
      code: { type: 'string', shortest: 1, longest: 8, says: 'Exact match, in any case.' },
      search: {
        ...{ type: 'string', shortest: 1, longest: 255 },
        says: 'Countries whose id equals it, or whose English name, Turkish name or code contains it.',
      },
      isGuarantee: flag,
    },
  },
  'city-list': {
    says: 'Lists cities: those of all countries, unless one is named.',
    query: {
      ...paged(50),
      sortBy: sortBy('name, countryCode, id'),
      sortOrder,
      countryId: {},
      countryCode: {},
      ...placeFilters,
    },
  },
  'county-list': {
    says: 'Lists counties: all of them, unless a city is named.',
    query: { ...paged(50), sortBy: sortBy('name, cityId, id'), sortOrder, cityId: {}, ...placeFilters },
  },
  'currency-list': {
    says: 'Lists currencies with the central bank’s exchange rates.',
    query: {
      ...paged(50),
      sortBy: {
        ...{ type: 'string', default: 'orderNumber' },
        values: ['orderNumber', 'name', 'code', 'id', 'updatedAt', 'sellingTry', 'buyingTry'],
      },
      sortOrder: sortOrderOfList,
      codes: { type: 'string', isList: true, shortest: 1, longest: 3, says: 'Currency codes, in any case.' },
      isDefined: {
        type: 'bool',
        says: 'true: both rates are greater than 0. false: both are 0. A currency with exactly one rate at 0 is returned for neither.',
      },
    },
    answer: { flagPath: { type: 'string' }, 'rates.sellingTry': {}, 'rates.buyingTry': {} },
  },
  'unit-list': {
    says: 'Lists units of measure.',
    query: { ...paged(50), sortBy: sortBy('name, code, id'), sortOrder },
  },
  'export-code-list': {
    says: 'Lists export codes.',
    query: { ...paged(50), sortBy: sortBy('name, code, id'), sortOrder },
  },
}
