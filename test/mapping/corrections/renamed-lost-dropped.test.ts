import { describe, expect, it, test } from 'vitest'
import type { AnswerLine } from '../../../src/mapping/corrections/corrections.ts'
import type { Operation } from '../../../src/mapping/operation.ts'
import { from, list, lost, object, same, shape, timestamp } from '../../../src/mapping/shape.ts'
import { aList, answeredRecord, answeredRow, aRecord, corrected } from './support.ts'

type Table = readonly (readonly [
  what: string,
  shipped: Operation,
  response: Readonly<Record<string, AnswerLine>>,
  v1: unknown,
  legacy: unknown,
])[]

const state = shape('State', { id: same('int'), slug: same('string') }, { closed: true })
const parcel = shape('Parcel', { weight: same('number') })

const LIST: Table = [
  [
    'a renamed member',
    aList(),
    { '[].plate': { from: 'items[].plateCode' } },
    { id: 1, plateCode: '34' },
    { id: 1, plate: '34' },
  ],
  [
    'a member of a closed shape that the mapping does not know',
    aList({ id: same('int') }, { closed: true }),
    { '[].plate': { from: 'items[].plateCode' } },
    { id: 1, plateCode: '34', other: 2 },
    { id: 1, plate: '34' },
  ],
  [
    'a member that is nested in legacy alone',
    aList(),
    { '[].region.name': { from: 'items[].regionName' }, '[].region.id': { from: 'items[].regionId' } },
    { regionName: 'Marmara', regionId: 7 },
    { region: { name: 'Marmara', id: 7 } },
  ],
  [
    'a member that is nested in v1 alone',
    aList(),
    { '[].regionName': { from: 'items[].region.name' } },
    { region: { name: 'Marmara' }, id: 1 },
    { regionName: 'Marmara', id: 1 },
  ],
  [
    'a member of an object that both sides have',
    aList(),
    { '[].region.name': { from: 'items[].region.title' } },
    { region: { id: 7, title: 'Marmara' } },
    { region: { id: 7, name: 'Marmara' } },
  ],
  [
    'a member of the rows of a list of which the mapping says nothing',
    aList(),
    { '[].tags[].name': { from: 'items[].tags[].title' } },
    { tags: [{ id: 1, title: 'a' }, { title: 'b' }] },
    { tags: [{ id: 1, name: 'a' }, { name: 'b' }] },
  ],
  [
    'a list that has another name in v1',
    aList(),
    { '[].tags[].name': { from: 'items[].labels[].title' }, '[].tags[].code': { from: 'items[].labels[].id' } },
    { labels: [{ id: 1, title: 'a', x: 2 }] },
    { tags: [{ code: 1, name: 'a', x: 2 }] },
  ],
  [
    'a lost member',
    aList(),
    { '[].population': { lost: 'v1 does not know it' } },
    { id: 1 },
    { id: 1, population: null },
  ],
  ['a dropped member', aList(), { '[].plateCode': { drop: true } }, { id: 1, plateCode: '34' }, { id: 1 }],
  [
    'a dropped member of an object',
    aList(),
    { '[].region.code': { drop: true } },
    { region: { id: 1, code: 2 } },
    { region: { id: 1 } },
  ],
  [
    'a dropped member of rows of which the mapping says nothing',
    aList(),
    { '[].tags[].code': { drop: true } },
    { tags: [{ id: 1, code: 2 }] },
    { tags: [{ id: 1 }] },
  ],
  [
    'a member that is renamed, and dropped under its own name',
    aList(),
    { '[].plate': { from: 'items[].plateCode' }, '[].plateCode': { drop: true } },
    { plateCode: '34' },
    { plate: '34' },
  ],
  [
    'a whole object that moves keeps its shape',
    aList({ region: object(shape('Region', { name: from('title') })) }),
    { '[].region': { from: 'items[].area' } },
    { area: { title: 'Marmara' } },
    { region: { name: 'Marmara' } },
  ],
  [
    'a whole object in the place of its members',
    aList({ 'rate.selling': from('rates.sell'), 'rate.buying': from('rates.buy') }),
    { '[].rate': { from: 'items[].rates' } },
    { rates: { sell: 1, x: 2 } },
    { rate: { sell: 1, x: 2 } },
  ],
]

const RECORD: Table = [
  [
    'a shipped line gives way',
    aRecord({ number: from('no'), madeAt: timestamp() }),
    { number: { from: 'data.invoiceNumber' }, madeAt: { from: 'data.createdAt' } },
    { invoiceNumber: 'A', createdAt: '2025-01-31T10:24:19.000Z' },
    { number: 'A', madeAt: '2025-01-31T10:24:19.000Z' },
  ],
  [
    'a member within a shape that other members share',
    aRecord({ from: object(state), to: object(state) }),
    { 'to.slug': { from: 'data.to.key' } },
    { from: { id: 1, slug: 'a' }, to: { id: 2, key: 'b' } },
    { from: { id: 1, slug: 'a' }, to: { id: 2, slug: 'b' } },
  ],
  [
    'a member of a list that the mapping has',
    aRecord({ parcels: list(parcel, 'packages') }),
    { 'parcels[].kilos': { from: 'data.packages[].weightKg' } },
    { packages: [{ weight: 1, weightKg: 2 }] },
    { parcels: [{ weight: 1, kilos: 2 }] },
  ],
  [
    'members beneath a member that was lost',
    aRecord({ sender: lost('v1 does not return it') }),
    { 'sender.city': { from: 'data.senderCity' } },
    { senderCity: 'Bolu' },
    { sender: { city: 'Bolu' } },
  ],
  [
    'a dropped line of the mapping',
    aRecord({ isPayment: from('isPaid'), id: same('int') }),
    { isPayment: { drop: true } },
    { id: 1, isPaid: true },
    { id: 1 },
  ],
  [
    'a dropped line of a closed shape',
    aRecord({ id: same('int'), name: same('string') }, { closed: true }),
    { name: { drop: true } },
    { id: 1, name: 'a' },
    { id: 1 },
  ],
  [
    'a member that was left out because only v1 has it',
    aRecord({ id: same('int') }, { v1Only: { organizationId: 'added in v1' } }),
    { orgId: { from: 'data.organizationId' } },
    { id: 1, organizationId: 2 },
    { id: 1, orgId: 2 },
  ],
  [
    'a line whose v1 member nothing else reads: that stays away',
    aRecord({ flagW20: from('flags.w20'), flagW40: from('flags.w40') }),
    { flagW20: { from: 'data.flag' } },
    { flag: 'a', flags: { w20: 'b', w40: 'c' } },
    { flagW20: 'a', flagW40: 'c' },
  ],
  [
    'a lost line whose v1 member another line reads: that is answered there alone',
    aRecord({ old: from('code'), name: same('string') }),
    { old: { lost: 'v1 has another code' }, name: { from: 'data.code' } },
    { code: 'x', name: 'y' },
    { old: null, name: 'x' },
  ],
  [
    'an object of which one member is read and the rest dropped: nothing is left of it',
    aRecord({}),
    { tz: { from: 'data.timezone.offset' }, 'timezone.dst': { drop: true } },
    { id: 1, timezone: { offset: 3, dst: true } },
    { id: 1, tz: 3 },
  ],
  [
    'a name with letters beyond ASCII',
    aRecord({}),
    { şehir: { from: 'data.city' } },
    { city: 'Muğla' },
    { şehir: 'Muğla' },
  ],
  [
    'rows of a list that was copied',
    aRecord({ products: same('array') }),
    { 'products[].hs': { from: 'data.products[].hsCode' } },
    { products: [{ hsCode: '6205', id: 1 }] },
    { products: [{ hs: '6205', id: 1 }] },
  ],
]

describe('corrections of answers', () => {
  test.each(LIST)('of a list: %s', (_, shipped, response, v1, legacy) => {
    expect(answeredRow(corrected(shipped, { response }), v1)).toEqual(legacy)
  })

  test.each(RECORD)('of a record: %s', (_, shipped, response, v1, legacy) => {
    expect(answeredRecord(corrected(shipped, { response }), v1)).toEqual(legacy)
  })

  it('change nothing in place, and leave other operations the same objects', () => {
    const shipped = aRecord({ from: object(state), to: object(state) })
    const before = JSON.stringify(shipped)
    const changed = corrected(shipped, { response: { 'to.slug': { from: 'data.to.key' } } })
    expect(JSON.stringify(shipped)).toBe(before)
    expect(changed).not.toBe(shipped)
    expect(changed.request).toBe(shipped.request)
    expect(corrected(shipped, { why: 'nothing yet' })).toBe(shipped)
  })
})
