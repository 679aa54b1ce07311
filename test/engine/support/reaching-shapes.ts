import { asBit, asDate, asEpoch, asNumber, asString, lower, upper } from '../../../src/mapping/conversions.ts'
import { timestampConverter } from '../../../src/mapping/converter.ts'
import { constant, fromReference, fromRequestRow, joined } from '../../../src/mapping/filled-lines.ts'
import {
  converted,
  decimal,
  enumOf,
  from,
  ifAbsent,
  inRow,
  list,
  lost,
  object,
  promised,
  type Shape,
  same,
  shape,
  timestamp,
} from '../../../src/mapping/shape.ts'

const region = shape('Region', {
  id: same(),
  name: inRow(from('regionName')),
  since: inRow(timestamp('meta.since')),
  rank: lost('v1 does not rank'),
})

const geo = shape(
  'Geo',
  { lat: from('latitude'), zone: inRow(from('zones.local')), code: inRow(from('place.geo.code')) },
  { closed: true },
)

/** Lines that can be undone: what legacy has survives the way to v1 and back. */
export const undoable: readonly Shape[] = [
  shape('Row', {
    region: object(region),
    'tag.name': from('tagName'),
    place: object(shape('Place', { geo: object(geo), city: inRow(from('cityName')) }), 'place'),
    aside: inRow(from('beside.here')),
  }),
  shape('Conversions', {
    area: inRow(converted(asString)),
    size: converted(asNumber, 'length'),
    isOpen: converted(asBit),
    madeAt: converted(asEpoch),
    state: enumOf(
      [
        [1, 'ACTIVE'],
        [0, 'PASSIVE'],
        ['other', false],
      ],
      'status',
    ),
    price: decimal(2, 'cents'),
  }),
]

const fee = shape('Fee', {
  amount: same(),
  currency: inRow(from('currency'), 2),
  box: inRow(from('box.number'), 1),
  label: joined([
    { path: 'type' },
    { text: ' "of" ' },
    { path: 'box.number', anchor: 1 },
    { path: 'currency', anchor: 2 },
  ]),
})

const packed = shape(
  'Package',
  {
    number: from('box.number'),
    fees: list(fee),
    first: ifAbsent('null', same()),
    second: ifAbsent('missing', converted(upper)),
    requested: fromRequestRow('rows', 'id'),
    sender: object(shape('Sender', { city: inRow(from('sender.city'), 1), name: same() }), 'from'),
    outer: inRow(object(shape('Outer', { code: same() }), 'outer'), 1),
  },
  { v1Only: { 'box.weight': 'added in v1' } },
)

/** Further lines, which are read from v1, or from legacy where that is possible. */
export const reaching: readonly Shape[] = [
  ...undoable,
  shape('Record', {
    packages: list(packed),
    copies: list(packed, 'packages'),
    currency: same(),
    code: from('codes.first'),
    again: from('codes.first'),
    all: from('codes'),
    day: converted(asDate, 'codes.at'),
    at: timestamp('codes.at'),
    always: constant({ a: [1, null] }),
    'deep.always': constant('x'),
    'deep.maybe': ifAbsent('null', from('maybe')),
    'late.maybe': ifAbsent('missing', from('maybe')),
    whole: ifAbsent('null', object(region, 'wholeRegion')),
    part: ifAbsent('missing', object(geo, 'geoPart')),
    rows: ifAbsent('missing', list(region, 'regions')),
  }),
  shape(
    'Closed',
    {
      full: joined([{ path: 'name.first' }, { text: ' ' }, { path: 'name.last' }]),
      first: converted(lower, 'name.first'),
      needed: promised('string', from('token')),
      holder: object(
        shape('Holder', {
          token: inRow(promised('string', from('token'))),
          key: promised('string', from('secret.key')),
          filled: fromReference(
            { list: 'unit-list', match: 'code', sibling: 'unit', take: 'since' },
            { converted: timestampConverter },
          ),
        }),
      ),
    },
    { closed: true },
  ),
]
