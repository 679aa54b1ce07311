import { enumConverter, timestampConverter } from '../../../src/mapping/converter.ts'
import { fromReference, fromRequestRow } from '../../../src/mapping/filled-lines.ts'
import {
  converted,
  decimal,
  enumOf,
  from,
  list,
  lost,
  object,
  promised,
  type Shape,
  same,
  shape,
  timestamp,
} from '../../../src/mapping/shape.ts'

/** A custom converter. */
const yesNo = enumConverter({ Y: 'yes', N: 'no' })

const closedPart = shape('Closed part', { id: same(), slug: from('code') }, { closed: true })

const row = shape('Row', {
  id: fromRequestRow('rows', 'id'),
  piece: fromRequestRow('rows', 'piece'),
  perimeter: lost('v1 does not measure it'),
  fees: list(shape('Fee', { type: from('slug'), desc: from('name'), value: from('amount') }), 'additionalFees'),
})

const filled = shape('Filled', {
  iso: from('code'),
  updatedAt: fromReference(
    { list: 'currency-list', match: 'code', sibling: 'code', take: 'rates.updatedAt' },
    { converted: timestampConverter },
  ),
  rank: fromReference({ list: 'currency-list', match: 'id', sibling: 'key', take: 'orderNumber' }),
})

const lifted = shape('Lifted', {
  w20: from('flags.w20'),
  w40: from('flags.w40'),
  since: timestamp('flags.since'),
  part: object(closedPart, 'flags.part'),
  tax: from('tax.type'),
  logo: from('media.images.logo'),
  shot: timestamp('media.images.shotAt'),
})

const wrapped = shape(
  'Wrapped',
  {
    id: same(),
    'currency.code': from('currencyCode'),
    'times.created.at': timestamp('createdAt'),
    'place.city.name': from('cityName'),
    'place.city.since': timestamp('media.city.since'),
  },
  { closed: true, v1Only: { organizationId: 'added in v1' } },
)

const gathered = shape('Gathered', {
  'rate.selling': from('rates.sellingTry'),
  'rate.buying': from('rates.buyingTry'),
  'rate.average': lost('v1 has no average'),
  updatedAt: timestamp('rates.updatedAt'),
  'place.since': timestamp('citySince'),
  'place.parts': list(closedPart, 'parts'),
  'place.city.name': from('cityName'),
  'place.city.code': from('town.code.iso'),
})

const swapped = shape(
  'Swapped',
  { a: from('b'), b: from('a'), at: timestamp() },
  { v1Only: { c: 'added', 'd.e': 'added' } },
)

const promises = shape('Promises', {
  token: promised('string', same()),
  owner: promised('object', object(closedPart, 'user')),
  rows: promised('array', list(row)),
  key: promised('string', from('secret.key')),
})

const order = shape('Order', {
  state: enumOf({ open: 'PENDING', paid: 'SETTLED', größer: 'größer', a: 'b', b: 'a' }),
  kind: enumOf({ letter: 'DOCUMENT', box: 'PACKAGE' }, 'type'),
  total: decimal(2),
  'weight.kilos': decimal(3, 'measures.grams'),
  active: converted(yesNo, 'isActive'),
  lines: list(shape('Line', { price: decimal(2, 'cents'), unit: enumOf({ piece: 'C62' }) })),
})

const record = shape('Record', {
  id: same(),
  filled: object(filled),
  lifted: object(lifted, 'raised'),
  gathered: list(gathered, 'collected'),
  orders: list(order),
})

/** Shapes that together use every constructor of the vocabulary. */
export const everyConstructor: readonly Shape[] = [record, order, wrapped, swapped, promises, shape('Nothing', {})]
