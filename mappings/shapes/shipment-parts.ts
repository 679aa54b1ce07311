import { fromReference } from '../../src/mapping/filled-lines.ts'
import { assumed, from, givenByService, same, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 6.5: v1 does not return `currency.updatedAt`. */
export const shipmentCurrency = shape('Currency of a shipment', {
  id: same('int'),
  code: same('string'),
  name: same('string'),
  updatedAt: assumed(
    'the currency list has the time of the same currency’s rates; null if that list is not available within 250 ms',
    fromReference({ list: 'currency-list', match: 'code', sibling: 'code', take: 'updatedAt' }, { type: 'timestamp' }),
  ),
})

/** docs/contract.md 6.5: `singlePointImport.carrierShipmentId` replaces `singlePointImport.shipmentId`. */
export const importOfShipment = shape('Single point import of a shipment', {
  id: givenByService('import', same('int')),
  name: same('string'),
  shipmentId: from('carrierShipmentId', 'string'),
})

/** docs/contract.md 5.4 and 5.6: `type`, `status` and `activityStatus`. */
export const state = shape('State of a package shipment', {
  id: same('int'),
  slug: same('string'),
  name: same('string'),
})

/** docs/contract.md 5.4 and 5.7: `exportCode`, `unitOfMeasure`, `originCountry`. */
export const coded = shape('Coded name of a package shipment', {
  id: same('int'),
  code: same('string'),
  name: same('string'),
})
