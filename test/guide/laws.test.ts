import { describe, expect, it } from 'vitest'
import { operations } from '../../mappings/index.ts'
import { isLoss } from '../../src/common/line-basis.ts'
import { lawsOf } from '../../src/guide/laws/laws.ts'
import { explain } from '../../src/guide/lines/explain.ts'
import type { Converter } from '../../src/mapping/converter.ts'
import { correct } from '../../src/mapping/corrections/correct.ts'
import type { AnswerLine } from '../../src/mapping/corrections/corrections.ts'
import { get, type Operation, operation, record } from '../../src/mapping/operation.ts'
import { oneOf } from '../../src/mapping/reader.ts'
import { query, queryParameters } from '../../src/mapping/request.ts'
import { converted, enumOf, from, type Rule, type Shape, same, shape } from '../../src/mapping/shape.ts'
import { undoable } from '../engine/support/reaching-shapes.ts'
import { allHardOperations } from '../mappings/support/hard-operations.ts'
import { loadMappings } from '../support/load-mappings.ts'

const added = await loadMappings('test/mappings/added')
const translated = [...operations, ...allHardOperations, ...added].filter(({ v1 }) => v1 !== undefined)

const answering = (answer: Shape, request = queryParameters({})): Operation =>
  operation('thing', {
    ...{ says: 'A thing.', legacy: get('/thing'), v1: get('/v1/thing'), effect: 'read', authorization: 'none' },
    ...{ request, response: record(answer) },
  })

const thing = (rules: Readonly<Record<string, Rule>>): Operation => answering(shape('Thing', rules))

/** What both laws say of a mapping: legacy → v1 → legacy first. */
const said = (mapping: Operation): readonly string[] => lawsOf(mapping).map(({ says }) => says)

/** A converter that keeps only whole hundreds, and does not say so. */
const hundreds: Converter = {
  says: 'legacy counts in hundreds',
  samples: [{ legacy: '7', v1: '700' }],
  toLegacy: (v1) => String(Math.round(Number(v1) / 100)),
  toV1: (legacy) => String(Number(legacy) * 100),
}

describe('the laws of mappings', () => {
  it.each(translated)('$id loses nothing there and back but what its lines declare', (mapping) => {
    const laws = lawsOf(mapping)
    expect(laws.map(({ law }) => law)).toEqual(['legacy → v1 → legacy', 'v1 → legacy → v1'])
    expect(laws.flatMap(({ broken }) => broken)).toEqual([])
    expect(laws.every(({ values }) => values >= 100)).toBe(true)
  })

  it.each(operations)('$id names each loss that the reference lists', (mapping) => {
    const listed = explain(mapping).filter(isLoss)
    const named = lawsOf(mapping).flatMap(({ losses }) => losses.map(({ part, path }) => `${part} ${path}`))
    expect(named).toEqual(expect.arrayContaining(listed.map(({ part, legacy }) => `${part} ${legacy}`)))
  })

  it.each(undoable)('hold for $name, whose lines reach beyond their objects', (shape) => {
    expect(lawsOf(answering(shape)).flatMap(({ broken }) => broken)).toEqual([])
  })

  it('hold for lines of MAPPING_FILE of every kind', () => {
    const rows: Readonly<Record<string, AnswerLine>> = {
      fullName: { join: ['items[].firstName', ' ', 'items[].lastName'] },
      ...{ source: { always: 'legacy' }, priceUsd: { lost: 'v1 has no such price' } },
      isPaid: { from: 'items[].isPaid', as: '0/1' },
      ...{ priceTry: { from: 'items[].priceTry', scale: 2 }, dateAt: { from: 'items[].dateAt', as: 'date' } },
      ...{
        company: { from: 'items[].company', absent: 'null' },
        taxNumber: { from: 'items[].taxNumber', as: 'upper' },
      },
      'status.slug': { from: 'items[].status.slug', enum: { yeni: 'NEW', tamam: 'COMPLETED' } },
      'status.label': { from: 'items[].statusLabel' },
    }
    const corrected = correct(operations, {
      operations: {
        'invoice-list': {
          response: Object.fromEntries(Object.entries(rows).map(([name, line]) => [`data[].${name}`, line])),
          request: { search: { to: 'query', enum: { a: 'x', b: 'x' } }, sortBy: { drop: true } },
        },
        price: { response: { '[].packages[].carrier': { from: 'items[].carrierName' } } },
      },
    })
    const [list, price] = ['invoice-list', 'price'].map((id) => {
      const laws = lawsOf(corrected.find((mapping) => mapping.id === id) as Operation)
      expect(laws.flatMap(({ broken }) => broken)).toEqual([])
      return laws.flatMap(({ losses }) => losses.map(({ path, why }) => `${path}: ${why}`))
    })
    expect(list).toEqual(
      expect.arrayContaining([
        'data[].fullName: filled in, and not sent',
        ...['data[].priceUsd: v1 has no such price', 'items[].dateAt: the time of day'],
        ...['search: several names of one value: "b"', 'items[].taxNumber: which letters were capitals'],
      ]),
    )
    expect(price).toContain('[].packages[].carrier: v1 has one value for all rows: items[].carrierName')
  })

  it('are not tried where v1 has no equivalent', () => {
    expect(operations.filter((mapping) => lawsOf(mapping).length === 0).map(({ v1 }) => v1)).toEqual([undefined])
  })

  it('come to the same with the same mapping', () => {
    for (const mapping of added) expect(lawsOf({ ...mapping })).toEqual(lawsOf(mapping))
  })

  it('name declared losses with their reasons', () => {
    const lossy = answering(
      shape(
        'Thing',
        { at: converted(hundredsSaid), size: same('int') },
        { closed: true, v1Only: { age: 'added in v1' } },
      ),
    )
    expect(said(lossy)).toEqual([
      'holds for 200 made-up values, but for the declared losses: request (only listed members are sent); answer (only listed members are answered)',
      'holds for 200 made-up values, but for the declared losses: answer (only listed members are answered); answer data.age (added in v1); answer data.at (all below a hundred)',
    ])
  })
})

const hundredsSaid: Converter = { ...hundreds, loses: 'all below a hundred' }

describe('the laws of a mapping with a mistake say what is lost', () => {
  it('by a converter that does not declare it', () => {
    const [there, back] = said(thing({ count: converted(hundreds) }))
    expect(there).toMatch(/^holds for/)
    expect(back).toMatch(/^not: answer data\.count: \d+ comes back as \d+$/)
  })

  it('by a converter that takes a text of digits for a number', () => {
    const toV1: Converter['toV1'] = (legacy) => legacy.replace(/^"0+(?=\d)/, '"')
    const postcode: Converter = {
      says: 'v1 writes no leading zeros',
      samples: [{ legacy: '"7"', v1: '"7"' }],
      ...{ toV1, toLegacy: () => undefined },
    }
    const [there] = said(thing({ postcode: converted(postcode) }))
    expect(there).toMatch(/^not: answer postcode: "0(\d+)" comes back as "\1"$/)
  })

  it('by two lines that read one member of v1', () => {
    const [there] = said(thing({ first: from('name', 'string'), last: from('name', 'string') }))
    expect(there).toMatch(/^not: answer last: ".*" comes back as ".*"/)
  })

  it('by a name of v1 that two values of a parameter share', () => {
    const sortBy = query(oneOf(['name'], { title: 'name' }))
    const [there] = said(answering(shape('Thing', {}), queryParameters({ sortBy })))
    expect(there).toBe('not: request sortBy: "name" comes back as "title"')
  })

  it('by a line of MAPPING_FILE', () => {
    const corrected = correct(operations, {
      operations: { 'currency-list': { response: { '[].rate.buyingRateTry': { from: 'items[].rates.sellingTry' } } } },
    })
    const results = corrected.flatMap((mapping) => lawsOf(mapping).map((law) => ({ id: mapping.id, ...law })))
    const broken = results.filter((law) => law.broken.length > 0)
    expect(broken.map(({ id, law }) => [id, law])).toEqual([['currency-list', 'legacy → v1 → legacy']])
    expect(broken[0]?.says).toMatch(/^not: answer \[\]\.rate\.buyingRateTry: .* comes back/)
  })

  it('and names five of more places', () => {
    const names = ['b', 'c', 'd', 'e', 'f', 'g', 'h']
    const rules = Object.fromEntries(names.map((name) => [name, from('a', 'int')]))
    expect(said(thing(rules))[0]).toMatch(/^not: (answer \w: .*?, ){4}answer \w: .* and \d others?$/)
  })

  it('and not what an enum declares to be one value', () => {
    const state = enumOf([
      ['open', 'PENDING'],
      ['open', 'WAITING'],
    ])
    const [there, back] = said(thing({ state }))
    expect(there).toMatch(/^holds/)
    expect(back).toMatch(/declared losses: answer data\.state \(several names of one value: "WAITING"\)$/)
  })
})
