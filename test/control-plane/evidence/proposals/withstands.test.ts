import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../support/seeded-random.ts'
import { Learner, legacyBody, list, one, quotes, v1Body } from './support/learning.ts'

type Members = Record<string, unknown>
type Row = readonly [legacy: Members, v1: Members]

/** Lets a learner see exchanges of rows that `rowOf` makes; each row has an id unless told otherwise. */
function learned(
  rowOf: (random: () => number, id: number) => Row,
  {
    exchanges = 100,
    rows = 8,
    hasId = true,
    mapping = list,
    shown = (at: number) => ({ input: at % 14, client: at % 3 }),
  } = {},
): Learner {
  const random = seededRandom(7)
  const learner = new Learner(mapping)
  for (let at = 0; at < exchanges; at++) {
    const pairs = Array.from({ length: rows }, (_, index): Row => {
      const id = at * rows + index + 1
      const [legacy, v1] = rowOf(random, id)
      const same = hasId ? { id, name: `n${id}` } : {}
      return [
        { ...same, ...legacy },
        { ...same, ...v1 },
      ]
    })
    const [legacy, v1] = [pairs.map(([row]) => row), pairs.map(([, row]) => row)]
    if (mapping === one) learner.takeValues(legacy[0], v1[0], shown(at))
    else learner.takeValues(legacy, v1, shown(at))
  }
  return learner
}

const whole = (random: () => number, below: number): number => Math.floor(random() * below)
const word = (random: () => number): string => `w${whole(random, 100_000)}`
const certaintyOf = (learner: Learner, path: string): string =>
  learner.report.proposals.find(({ legacy }) => legacy === path)?.certainty ?? 'none'

describe('a real fault of v1 is explained by no line', () => {
  it('a price that is 3 % off', () => {
    const learner = learned((random) => {
      const price = 100 * (1 + whole(random, 20))
      return [{ price }, { price: price * 1.03 }]
    })
    expect(learner.certain).toEqual({})
    expect(learner.report.proposals).toEqual([])
    expect(learner.report.unexplained).toMatchObject([{ kind: 'changed', path: '[].price' }])
  })

  it('the same as texts', () => {
    const learner = learned((random) => {
      const price = 100 * (1 + whole(random, 20))
      return [{ price: `${price}.00` }, { price: `${price + 3}.00` }]
    })
    expect(learner.report.proposals).toEqual([])
  })

  it('a date that is one day off', () => {
    const learner = learned((random) => {
      const day = whole(random, 20)
      const date = (at: number): string => new Date(Date.UTC(2025, 0, at)).toISOString().slice(0, 10)
      return [{ on: date(day) }, { on: date(day + 1) }]
    })
    expect(learner.report.proposals).toEqual([])
  })

  it('one currency for all', () => {
    const learner = learned((random) => [{ currency: ['TRY', 'USD', 'EUR'][whole(random, 3)] }, { currency: 'USD' }])
    expect(learner.certain).toEqual({})
    expect(learner.report.proposals).toEqual([])
  })

  it('missing rows', () => {
    const learner = new Learner(list)
    for (let at = 0; at < 100; at++) {
      const rows = Array.from({ length: 8 }, (_, index) => ({ id: at * 8 + index, name: `n${index}` }))
      learner.takeValues(rows, rows.slice(1), { input: at })
    }
    expect(learner.report.proposals).toEqual([])
    expect(learner.report.unexplained.map(({ kind }) => kind)).toContain('length')
  })

  it('null for some rows', () => {
    const learner = learned((random) => {
      const code = word(random)
      return [{ code }, { code: random() < 0.1 ? null : code }]
    })
    expect(learner.report.proposals).toEqual([])
    expect(learner.report.unexplained[0]?.says).toMatch(/^agrees with items\[\]\.code in 7\d\d of 800 places/)
  })

  it('values that are shuffled within a list, under the same name and under another', () => {
    for (const name of ['code', 'other']) {
      const random = seededRandom(3)
      const learner = new Learner(list)
      for (let at = 0; at < 100; at++) {
        const legacy = Array.from({ length: 8 }, (_, id) => ({ id, code: word(random) }))
        const v1 = legacy.map(({ id }, index) => ({ id, [name]: legacy[(index + 3) % 8]?.code }))
        learner.takeValues(legacy, v1, { input: at })
      }
      expect(learner.certain, name).toEqual({})
    }
  })
})

describe('what looks alike is not certain', () => {
  it('a constant is ambiguous, with and without a member of v1', () => {
    const learner = learned(() => [{ country: 'TR', unit: 'kg' }, { countryCode: 'TR' }])
    expect(certaintyOf(learner, '[].country')).toBe('ambiguous')
    expect(certaintyOf(learner, '[].unit')).toBe('ambiguous')
    expect(learner.certain).toEqual({})
  })

  it('two columns that are equal but for one row: the right one is certain after that row, and neither before', () => {
    const rowOf =
      (isDifferent: boolean) =>
      (random: () => number, id: number): Row => {
        const plate = word(random)
        return [{ plate }, { code: isDifferent && id === 434 ? 'x' : plate, plateCode: plate }]
      }
    const before = learned(rowOf(false))
    expect(before.certain).toEqual({})
    expect(before.report.proposals[0]).toMatchObject({
      ...{ legacy: '[].plate', line: { from: 'items[].plateCode' }, certainty: 'ambiguous' },
      alternatives: [
        { line: { from: 'items[].code' }, tells: 'an exchange in which items[].plateCode and items[].code differ' },
      ],
    })
    expect(learned(rowOf(true)).certain).toEqual({
      '[].plate': { from: 'items[].plateCode' },
      '[].code': { drop: true },
    })
  })

  it('two booleans that always go together', () => {
    const learner = learned((random) => {
      const active = random() < 0.5
      return [{ active }, { enabled: active, visible: active }]
    })
    expect(certaintyOf(learner, '[].active')).toBe('ambiguous')
    expect(learner.certain).toEqual({})
  })

  it('two renamed columns with the same values, each its own', () => {
    const learner = learned((random) => {
      const [from, to] = [whole(random, 30), whole(random, 30)]
      return [
        { from, to },
        { origin: from, target: to },
      ]
    })
    expect(learner.certain).toEqual({ '[].from': { from: 'items[].origin' }, '[].to': { from: 'items[].target' } })
  })

  it('an id under 1,000 names is no enum, nor is one of few rows that always come again', () => {
    const many = learned((random) => {
      const id = whole(random, 1_000)
      return [{ kind: `k${id}` }, { type: `t${id}` }]
    })
    expect(many.certain).toEqual({ '[].kind': { lost: 'v1 does not have it' }, '[].type': { drop: true } })
    const few = learned(
      (_, id) => [
        { id: 100_000 + (id % 8), kind: `k${id % 8}` },
        { id: 100_000 + (id % 8), type: `t${id % 8}` },
      ],
      {
        hasId: false,
      },
    )
    expect(Object.values(few.certain).filter((line) => JSON.stringify(line).includes('enum'))).toEqual([])
  })

  it('an enum whose names are not one for one, or rare', () => {
    const merged = learned((random) => {
      const state = whole(random, 3)
      return [{ state: ['a', 'b', 'b'][state] }, { status: ['X', 'Y', 'Z'][state] }]
    })
    expect(certaintyOf(merged, '[].state')).not.toBe('ambiguous')
    expect(JSON.stringify(merged.certain)).not.toContain('enum')
    const rare = learned((random, id) => {
      const state = id === 77 ? 2 : whole(random, 2)
      return [{ state: ['a', 'b', 'c'][state] }, { status: ['X', 'Y', 'Z'][state] }]
    })
    expect(certaintyOf(rare, '[].state')).toBe('weak')
  })

  it('too few places, exchanges or inputs', () => {
    const rowOf = (random: () => number): Row => {
      const plate = word(random)
      return [{ plate }, { plateCode: plate }]
    }
    const few = { exchanges: 4, rows: 50 }
    expect(certaintyOf(learned(rowOf, few), '[].plate')).toBe('weak')
    expect(certaintyOf(learned(rowOf, { exchanges: 9, rows: 2 }), '[].plate')).toBe('weak')
    expect(certaintyOf(learned(rowOf, { shown: () => ({ input: 1, client: 1 }) }), '[].plate')).toBe('weak')
    expect(certaintyOf(learned(rowOf, { exchanges: 5, rows: 4 }), '[].plate')).toBe('certain')
  })

  it('what one client of several shows', () => {
    const learner = learned(
      (random) => {
        const plate = word(random)
        return [{ plate }, { plateCode: plate }]
      },
      { shown: (at) => ({ input: at, client: 1 }) },
    )
    expect(certaintyOf(learner, '[].plate')).toBe('certain')
    learner.takeValues([{ id: 1 }], [{ id: 1 }], { client: 2 })
    expect(certaintyOf(learner, '[].plate')).toBe('weak')
  })

  it('a line that holds where answers differ, and not where they are equal', () => {
    // In one answer of ten v1 has a wrong code, and there it happens to have the right one in another member.
    const learner = learned((random, id) => {
      const code = word(random)
      return id % 80 < 8 ? [{ code }, { code: word(random), spare: code }] : [{ code }, { code, spare: word(random) }]
    })
    expect(learner.certain).not.toHaveProperty('[].code')
  })

  it('items without ids whose rows are in another order', () => {
    const random = seededRandom(5)
    const learner = new Learner(quotes)
    for (let at = 0; at < 100; at++) {
      const legacy = Array.from({ length: 8 }, () => ({ carrier: word(random), price: whole(random, 1_000) }))
      const v1 = legacy.map(({ carrier, price }) => ({ company: carrier, amount: price })).reverse()
      learner.takeValues(legacy, v1, { input: at })
    }
    expect(Object.values(learner.certain).filter((line) => JSON.stringify(line).includes('lost'))).toEqual([])
  })

  it('other rows than legacy’s, which nothing pairs', () => {
    const random = seededRandom(5)
    const learner = new Learner(quotes)
    for (let at = 0; at < 100; at++) {
      const rows = (): readonly string[] => Array.from({ length: 8 }, () => word(random))
      learner.takeValues(
        rows().map((carrier) => ({ carrier })),
        rows().map((company) => ({ company })),
        { input: at },
      )
    }
    expect(Object.values(learner.certain).filter((line) => JSON.stringify(line).includes('lost'))).toEqual([])
  })
})

describe('drift', () => {
  it('a value that changes between the answers does not count against the right line', () => {
    const random = seededRandom(5)
    const learner = new Learner(list)
    for (let at = 0; at < 100; at++) {
      const legacy = Array.from({ length: 8 }, (_, id) => ({ id, balance: whole(random, 1_000) }))
      const later = legacy.map((row, index) => ({ ...row, balance: row.balance + (index === 0 ? 1 : 0) }))
      const v1 = later.map(({ id, balance }) => ({ id, currentBalance: balance }))
      const bodies = { legacy: legacyBody(list, legacy), legacyAgain: legacyBody(list, later), v1: v1Body(list, v1) }
      learner.take({ ...bodies, input: at })
    }
    expect(learner.certain).toEqual({ '[].balance': { from: 'items[].currentBalance' } })
  })
})

describe('personal members', () => {
  it('have lines, but none of their values is in what is sent, reported or hashed', () => {
    const learner = learned((random) => {
      const [firstName, lastName] = [word(random), word(random)]
      const email = `${word(random)}@example.org`
      const owner = { tcNo: '11111111111', email: `${word(random)}@example.org` }
      return [
        { fullName: `${firstName} ${lastName}`, email, owner },
        { firstName, lastName, mail: email, holder: owner },
      ]
    })
    expect(learner.certain).toMatchObject({
      '[].fullName': { join: ['items[].firstName', ' ', 'items[].lastName'] },
      '[].email': { from: 'items[].mail' },
    })
    const { values, constant, exceptions, enums } =
      learner.latest?.paths.find(({ legacy }) => legacy === '[].email') ?? {}
    expect({ values, constant, exceptions, enums }).toEqual({
      values: [],
      constant: undefined,
      exceptions: [],
      enums: undefined,
    })
    const owner = learner.latest?.paths.find(({ legacy }) => legacy === '[].owner')
    expect({ isPersonal: owner?.isPersonal, values: owner?.values }).toEqual({ isPersonal: true, values: [] })
    const hidden = learner.latest?.paths.find(({ legacy }) => legacy === '[].fullName')
    expect(hidden?.values).toEqual([])
    expect(JSON.stringify([learner.latest, learner.report])).not.toMatch(/w\d{2,}|11111111111/)
  })

  it('a constant or an enum of them is not shown', () => {
    const learner = learned((random) => {
      const company = ['Acme', 'Globex'][whole(random, 2)]
      return [{ company, phone: '555' }, { firm: company === 'Acme' ? 'A-1' : 'G-1' }]
    })
    expect(JSON.stringify([learner.latest, learner.report])).not.toMatch(/Acme|Globex|555/)
  })
})
