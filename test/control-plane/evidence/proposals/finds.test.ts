import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../support/seeded-random.ts'
import { Learner, list, one, pages, quotes } from './support/learning.ts'

type Members = Record<string, unknown>
type Random = () => number

const whole = (random: Random, below: number): number => Math.floor(random() * below)
const word = (random: Random): string => `w${whole(random, 100_000)}`
const raw = (mapping: 'list' | 'record', text: string): Buffer =>
  Buffer.from(
    mapping === 'list'
      ? `{"success":true,"items":[${text}],"meta":{"total":1,"page":1,"perPage":25,"pageCount":1}}`
      : `{"success":true,"data":${text}}`,
  )

/** Lets a learner see exchanges of rows. */
function learned(
  mapping: typeof list,
  answer: (random: Random, at: number) => readonly [unknown, unknown],
  exchanges = 100,
) {
  const random = seededRandom(11)
  const learner = new Learner(mapping)
  for (let at = 0; at < exchanges; at++) {
    const [legacy, v1] = answer(random, at)
    learner.takeValues(legacy, v1, { input: at % 14, client: at % 3 })
  }
  return learner
}

const rows = (count: number, rowOf: (id: number) => readonly [Members, Members]): readonly [Members[], Members[]] => {
  const pairs = Array.from({ length: count }, (_, id) => rowOf(id))
  return [pairs.map(([row]) => row), pairs.map(([, row]) => row)]
}

describe('what proposals find', () => {
  it('members with names in other languages, and names that are written in brackets', () => {
    const learner = learned(list, (random, at) =>
      rows(5, (index) => {
        const [city, shop] = [word(random), word(random)]
        const id = at * 5 + index
        return [
          { id, şehir: city, '店.名': shop },
          { id, Город: city, 'shop name': shop },
        ]
      }),
    )
    expect(learner.certain).toEqual({
      '[].şehir': { from: 'items[].Город' },
      '[]["店.名"]': { from: 'items[]["shop name"]' },
    })
  })

  it('optional members that one row of ten has, in pages of one row', () => {
    const learner = learned(
      pages,
      (random, at) => {
        const gift = random() < 0.1 ? word(random) : undefined
        const first = { id: at, ...(gift !== undefined && { gift }) }
        return [[first], [{ id: at, ...(gift !== undefined && { present: gift }) }]]
      },
      400,
    )
    expect(learner.certain).toEqual({ 'data[].gift': { from: 'items[].present' } })
    expect(learner.report.proposals[0]?.support.places).toBeLessThan(70)
  })

  it('a record with one place an exchange: certain after 20 exchanges', () => {
    const answer = (random: Random): readonly [unknown, unknown] => {
      const owner = word(random)
      return [{ owner }, { holder: owner }]
    }
    expect(learned(one, answer, 19).certain).toEqual({})
    expect(learned(one, answer, 20).certain).toEqual({ owner: { from: 'data.holder' } })
  })

  it('numbers with digits that doubles do not keep, and texts of numbers as v1 writes them', () => {
    const random = seededRandom(2)
    const learner = new Learner(list)
    for (let at = 0; at < 40; at++) {
      const digits = `${1 + whole(random, 9)}${String(whole(random, 1e9)).padStart(9, '0')}${String(whole(random, 1e9)).padStart(9, '0')}`
      const price = `${whole(random, 1_000)}.${whole(random, 10)}0`
      const legacy = Buffer.from(`[{"id":${at},"serial":${digits},"price":"${price}","size":${7 * at + 1}.0}]`)
      learner.take({
        legacy,
        v1: raw('list', `{"id":${at},"number":${digits},"price":${price},"length":${7 * at + 1}}`),
        input: at,
      })
    }
    expect(learner.certain).toEqual({
      '[].serial': { from: 'items[].number' },
      '[].price': { from: 'items[].price', as: 'string' },
      '[].size': { from: 'items[].length' },
    })
  })

  it('text of a number in other digits than v1’s is not its text', () => {
    const random = seededRandom(2)
    const learner = new Learner(list)
    for (let at = 0; at < 40; at++) {
      const price = `${whole(random, 1_000)}.${1 + whole(random, 9)}`
      const legacy = Buffer.from(`[{"id":${at},"price":"${price}"}]`)
      learner.take({ legacy, v1: raw('list', `{"id":${at},"price":${price}0}`), input: at })
    }
    expect(learner.report.proposals).toEqual([])
  })

  it('empty texts, empty lists and zeros among other values', () => {
    const learner = learned(list, (random, at) =>
      rows(5, (index) => {
        const id = at * 5 + index
        const title = random() < 0.3 ? '' : word(random)
        const tags = random() < 0.3 ? [] : [word(random)]
        const price = random() < 0.3 ? 0 : whole(random, 10_000)
        return [
          { id, title, tags, price: price / 100 },
          { id, name: title, labels: tags, minor: price },
        ]
      }),
    )
    expect(learner.certain).toEqual({
      '[].title': { from: 'items[].name' },
      '[].tags': { from: 'items[].labels' },
      '[].price': { from: 'items[].minor', scale: 2 },
    })
  })

  it('rows in another order, paired by their ids', () => {
    const learner = learned(list, (random, at) => {
      const [legacy, v1] = rows(6, (index) => {
        const plate = word(random)
        return [
          { id: at * 6 + index, plate },
          { id: at * 6 + index, plateCode: plate },
        ]
      })
      return [legacy, v1.reverse()]
    })
    expect(learner.certain).toEqual({ '[].plate': { from: 'items[].plateCode' } })
  })

  it('names of an enum that other columns have too, and numbers that stand for names', () => {
    const learner = learned(list, (random, at) =>
      rows(6, (index) => {
        const [from, to] = [whole(random, 4), whole(random, 4)]
        const id = at * 6 + index
        const names = ['NEW', 'OPEN', 'DONE', 'GONE']
        const legacyNames = ['new', 'open', 'finished', 'NEW']
        return [
          { id, first: legacyNames[from], last: to },
          { id, begin: names[from], end: names[to] },
        ]
      }),
    )
    expect(learner.certain).toEqual({
      '[].first': { from: 'items[].begin', enum: { NEW: 'GONE', finished: 'DONE', new: 'NEW', open: 'OPEN' } },
      '[].last': {
        from: 'items[].end',
        enum: [
          [0, 'NEW'],
          [1, 'OPEN'],
          [2, 'DONE'],
          [3, 'GONE'],
        ],
      },
    })
  })

  it('names that are the same on both sides are not listed', () => {
    const learner = learned(list, (random, at) =>
      rows(6, (index) => {
        const state = whole(random, 3)
        const id = at * 6 + index
        return [
          { id, state: ['draft', 'open', 'done'][state] },
          { id, state: ['draft', 'OPENED', 'CLOSED'][state] },
        ]
      }),
    )
    expect(learner.certain).toEqual({ '[].state': { from: 'items[].state', enum: { done: 'CLOSED', open: 'OPENED' } } })
  })

  it('booleans that are correlated with others, but not equal', () => {
    const learner = learned(list, (random, at) =>
      rows(6, (index) => {
        const active = random() < 0.9
        const visible = active && random() < 0.95
        const id = at * 6 + index
        return [
          { id, active: active ? 1 : 0, hidden: !visible },
          { id, active, visible },
        ]
      }),
    )
    expect(learner.certain).toEqual({
      '[].active': { from: 'items[].active', as: '0/1' },
      '[].hidden': {
        from: 'items[].visible',
        enum: [
          [false, true],
          [true, false],
        ],
      },
    })
  })

  it('an object of v1 of which legacy has some members, each at its own place', () => {
    const learner = learned(one, (random) => {
      const [lat, lng, zone] = [whole(random, 9_000), whole(random, 9_000), word(random)]
      return [{ lat, position: { lng } }, { geo: { lat, lng, zone } }]
    })
    expect(learner.certain).toEqual({
      lat: { from: 'data.geo.lat' },
      'position.lng': { from: 'data.geo.lng' },
      'geo.zone': { drop: true },
    })
  })

  it('an object under another name, whole, even where it is null', () => {
    const learner = learned(one, (random) => {
      const owner = random() < 0.2 ? null : { age: whole(random, 90), city: word(random) }
      return [{ owner }, { holder: owner }]
    })
    expect(learner.certain).toEqual({ owner: { from: 'data.holder' } })
  })

  it('members of lists in lists, and members around them', () => {
    const learner = learned(quotes, (random) => {
      const unit = word(random)
      const parts = Array.from({ length: whole(random, 4) }, () => [word(random), word(random)] as const)
      return [
        [{ name: unit, parts: parts.map(([sku, note]) => ({ sku, note, of: unit })) }],
        [{ name: unit, parts: parts.map(([sku, note]) => ({ code: sku, note })) }],
      ]
    })
    expect(learner.certain).toEqual({
      '[].parts[].sku': { from: 'items[].parts[].code' },
      '[].parts[].of': { from: 'items[].name' },
    })
  })

  it('what v1 does not have, and what legacy does not have', () => {
    const learner = learned(one, (random) => [
      { id: 1, mayor: word(random) },
      { id: 1, uuid: word(random), at: { x: 1 } },
    ])
    expect(learner.certain).toEqual({
      mayor: { lost: 'v1 does not have it' },
      uuid: { drop: true },
      at: { drop: true },
    })
  })
})

describe('bounds', () => {
  it('a large answer takes about 20 ms, and says what was left out', () => {
    const random = seededRandom(4)
    const learner = new Learner(list, 20)
    const members = Array.from({ length: 30 }, (_, at) => `m${at}`)
    for (let at = 0; at < 6; at++) {
      const pairs = rows(5_000, (id) => {
        const values = members.map(() => word(random))
        return [
          Object.fromEntries([['id', id], ...members.map((name, index) => [name, values[index]])]),
          Object.fromEntries([['id', id], ...members.map((name, index) => [`${name}New`, values[index]])]),
        ]
      })
      learner.takeValues(...pairs, { input: at })
    }
    console.log(`5,000 rows with 30 renamed members: ${(learner.milliseconds / 6).toFixed(1)} ms an exchange`)
    expect(learner.report.limits).toContain('of a large answer of v1, only the first rows were looked at')
    for (const [legacy, line] of Object.entries(learner.certain)) {
      expect(line).toEqual({ from: `items[].${legacy.slice('[].'.length)}New` })
    }
    expect(Buffer.byteLength(JSON.stringify(learner.latest))).toBeLessThan(200_000)
  })

  it('an operation keeps at most 4 MB and 200 paths', () => {
    const random = seededRandom(4)
    const learner = new Learner(one)
    for (let at = 0; at < 30; at++) {
      const names = Array.from({ length: 300 }, (_, index) => `m${index}`)
      const flags = Object.fromEntries(names.map((name) => [`${name}New`, random() < 0.5]))
      learner.takeValues(Object.fromEntries(names.map((name) => [name, flags[`${name}New`]])), flags, { input: at })
    }
    console.log(`300 renamed booleans: ${learner.proposals.bytes('made-record')} bytes`)
    expect(learner.proposals.bytes('made-record')).toBeLessThanOrEqual(4 * 1024 * 1024)
    expect(learner.report.limits).toContain('only 200 differing paths were looked at')
    for (const [legacy, line] of Object.entries(learner.certain)) expect(line).toEqual({ from: `data.${legacy}New` })
  })
})
