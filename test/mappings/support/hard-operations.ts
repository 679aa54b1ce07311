import {
  bareList,
  get,
  noContent,
  type Operation,
  operation,
  post,
  record,
  wholeList,
} from '../../../src/mapping/operation.ts'
import { oneOf, positiveId } from '../../../src/mapping/reader.ts'
import { body, bodyParameters, query, queryParameters, segment } from '../../../src/mapping/request.ts'
import { assumed, from, shape } from '../../../src/mapping/shape.ts'
import { currency, documentShipment, packageRequest, quote, shipment, singlePointImport } from './hard-shapes.ts'

const anything = shape('Anything', {})

/** The operations of docs/contract.md 6 that demand most of the vocabulary, written for tests. */
export const hardOperations = {
  price: operation('price', {
    says: 'Quotes in items; other names in the rows.',
    legacy: post('/api/calculate/price'),
    v1: post('/api/v1/shipment/price-calculations'),
    request: body(anything, { nulls: 'not sent' }),
    response: bareList(quote),
    effect: 'calculation',
    authorization: 'token',
  }),
  document: operation('document', {
    says: '201 and data in place of 200 and the record.',
    legacy: post('/api/consignment/document'),
    v1: post('/api/v1/shipment/shipments/documents'),
    request: body(anything),
    response: record(documentShipment, { v1Status: 201 }),
    effect: 'write',
    authorization: 'token',
  }),
  package: operation('package', {
    says: 'Products send the code of their unit.',
    legacy: post('/api/consignment/package/advance'),
    v1: post('/api/v1/shipment/shipments/packages'),
    request: body(packageRequest),
    response: record(shipment, { v1Status: 201 }),
    effect: 'write',
    authorization: 'token',
    errors: {
      SINGLE_POINT_IMPORT_HAS_ALREADY_BEEN_COMPLETED_BEFORE: { ownMessage: true, reason: 'legacy did not find it' },
    },
  }),
  importCreate: operation('import-create', {
    says: 'carrierShipmentId in place of shipmentId.',
    legacy: post('/api/single/point/import'),
    v1: post('/api/v1/shipment/single-point-imports'),
    request: body(shape('Import request', { shipmentId: from('carrierShipmentId') })),
    response: record(singlePointImport, { v1Status: 201 }),
    effect: 'write',
    authorization: 'token',
    errors: { SINGLE_POINT_IMPORT_CHARGE_FAILED: { status: 500, reason: 'legacy answered 500' } },
  }),
  importComplete: operation('import-complete', {
    says: 'The id moves from the body into the path; 204 in place of 200.',
    legacy: post('/api/single/point/import/complete'),
    v1: post('/api/v1/shipment/single-point-imports/{id}/complete'),
    request: bodyParameters({ id: segment(positiveId) }),
    response: noContent(204, { v1Status: 200 }),
    effect: 'write',
    authorization: 'token',
  }),
  chargeList: operation('charge-list', {
    says: 'v1 has no equivalent.',
    legacy: post('/api/transaction/charge/list'),
    v1: undefined,
    request: { kind: 'pass-through' },
    response: { kind: 'pass-through' },
    effect: 'read',
    authorization: 'token',
  }),
  currencyList: operation('currency-list', {
    says: 'Rates in an object; other names to sort by.',
    legacy: get('/api/currency'),
    v1: get('/api/v1/shared/currencies'),
    request: queryParameters({
      sortBy: assumed(
        'legacy fell back to its default order',
        query(oneOf(['name', 'code'], { sellingRateTry: 'sellingTry', buyingRateTry: 'buyingTry' })),
      ),
      codes: query(),
    }),
    response: wholeList(currency, { page: 'page', perPage: 'perPage', mostPerPage: 200 }),
    effect: 'read',
    authorization: 'token',
  }),
} as const satisfies Readonly<Record<string, Operation>>

export const allHardOperations: readonly Operation[] = Object.values(hardOperations)
