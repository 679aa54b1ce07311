import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { verdictInWords } from '../../../src/control-plane/evidence/coverage/coverage.ts'
import { notSent } from '../../../src/control-plane/evidence/coverage/not-sent.ts'
import { NO_LIMIT } from '../../../src/control-plane/evidence/diff/budget.ts'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import { mappedExpectations } from './support/lines.ts'
import { criteriaOf, observe, only, tallyOf } from './support/observing.ts'

const compiled = compileOperations(operations)
const of = (id: string) => {
  const operation = compiled.find(({ mapping }) => mapping.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return operation
}
const bytes = (body: unknown): Uint8Array =>
  body === undefined ? new Uint8Array() : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

/** What is not sent of a request, each as it may be waived. */
const namesIn = (id: string, sent: { readonly query?: string; readonly body?: unknown }): readonly string[] =>
  notSent(of(id).mapping.request, { query: sent.query ?? '', body: bytes(sent.body) }, NO_LIMIT).map(
    ({ part, legacy }) => `${part} ${legacy}`,
  )

describe('what a request has and v1 does not get', () => {
  it('is a parameter of a list that no line lists', () => {
    expect(namesIn('country-list', { query: 'companyId=7&search=a&_=17' })).toEqual(['request companyId', 'request _'])
  })

  it('is not an empty parameter, but a flag', () => {
    expect(namesIn('country-list', { query: 'companyId=&code=' })).toEqual([])
    expect(namesIn('country-list', { query: 'withDetails&companyId' })).toEqual([
      'request withDetails',
      'request companyId',
    ])
    // Of a repeated parameter, the last one counts.
    expect(namesIn('country-list', { query: 'companyId=7&companyId=' })).toEqual([])
    expect(namesIn('country-list', { query: 'companyId=&companyId=7' })).toEqual(['request companyId'])
  })

  it('is a value that v1 does not know, where the mapping leaves it out', () => {
    expect(namesIn('country-list', { query: 'sortBy=colour' })).toEqual(['value sortBy'])
    expect(namesIn('country-list', { query: 'sortBy=name' })).toEqual([])
    expect(namesIn('country-list', { query: 'sortBy=' })).toEqual([])
  })

  it('is a filter in a body, at any depth, unless it asks for nothing', () => {
    const body = {
      companyId: 7,
      typeId: null,
      ids: [],
      options: {},
      tag: '',
      dateAtBetween: { startAt: null, zone: 3 },
    }
    expect(namesIn('invoice-list', { body })).toEqual(['request companyId', 'request dateAtBetween.zone'])
    expect(namesIn('invoice-list', { body: { companyId: false, typeId: 0 } })).toEqual([
      ...['request companyId', 'request typeId'],
    ])
    expect(namesIn('invoice-list', { body: [] })).toEqual([])
  })

  it('is not a value that v1 removed: the mapping answers it', () => {
    expect(namesIn('invoice-list', { body: { statusId: 4 } })).toEqual([])
  })

  it('is a parameter in the path of a POST, which v1 gets in no form', () => {
    expect(namesIn('invoice-list', { query: 'companyId=7&page=2', body: {} })).toEqual([
      ...['request ?companyId', 'request ?page'],
    ])
    expect(namesIn('price', { query: 'debug' })).toEqual(['request ?debug'])
  })

  it('is the body of a GET, whose mapping reads parameters', () => {
    expect(namesIn('country-list', { body: { search: 'a' } })).toEqual(['request (body)'])
  })

  it('is a member of a write at its root; within a listed member, everything passes', () => {
    expect(namesIn('document', { body: { organizationId: 1, note: null, recipientAddress: { floor: 3 } } })).toEqual([
      'request organizationId',
    ])
  })

  it('is nothing where everything passes', () => {
    expect(namesIn('price', { body: { companyId: 7, city: null, packages: [{ id: 7 }] } })).toEqual([])
  })

  it('has readable names of a bounded length and number, whatever a client sends', () => {
    const query = (names: readonly string[]) => names.map((name) => `${encodeURIComponent(name)}=1`).join('&')
    expect(
      namesIn('country-list', { query: query(['a.b', 'ids[]', 'x\u202ey', 'a\u0000b', '', '__proto__']) }),
    ).toEqual([
      ...['request ["a.b"]', 'request ["ids[]"]', 'request ["x\\u{202e}y"]', 'request ["a\\u0000b"]', 'request [""]'],
      'request __proto__',
    ])
    const many = namesIn('country-list', { query: query(Array.from({ length: 2_000 }, (_, at) => `m${at}`)) })
    expect(many).toHaveLength(51)
    expect(many.at(-1)).toBe('other ')
    const [long = ''] = namesIn('invoice-list', { body: { ['x'.repeat(100_000)]: 1 } })
    expect(Buffer.byteLength(long)).toBeLessThan(530)
  })

  it('is what the translation drops, apart from what asks for nothing', () => {
    const name = fc.constantFrom('companyId', 'page', 'sortBy', 'search', 'typeId', 'x y', 'currency', 'id')
    const value = fc.constantFrom<unknown>('', 'colour', 'name', null, 1, [], {}, false)
    const plain = (names: Iterable<string>) => [...names].sort()
    fc.assert(
      fc.property(fc.dictionary(name, value), (members) => {
        for (const id of ['invoice-list', 'document', 'import-create']) {
          const body = bytes(members)
          const asking = Object.keys(members).filter((one) => {
            const is = members[one]
            return is !== null && is !== '' && (typeof is !== 'object' || Object.keys(is).length > 0)
          })
          const { dropped } = of(id).translateRequest({ query: '', body })
          const found = notSent(of(id).mapping.request, { query: '', body }, NO_LIMIT)
          expect(plain(found.map(({ legacy }) => legacy.replace('["x y"]', 'x y')))).toEqual(
            plain([...dropped].filter((one) => asking.includes(one))),
          )
        }
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(name, fc.constantFrom('', 'colour', 'name')), (members) => {
        const query = new URLSearchParams(members).toString()
        for (const id of ['country-list', 'city-list', 'unit-list']) {
          const { dropped } = of(id).translateRequest({ query, body: bytes(undefined) })
          expect(
            plain(namesIn(id, { query }).map((text) => text.replace(/^\w+ /, '').replace('["x y"]', 'x y'))),
          ).toEqual(plain([...dropped].filter((one) => members[one] !== '')))
        }
      }),
    )
  })
})

const expectations = mappedExpectations('country-list')
const called = (query: string, client?: string) =>
  observe({
    ...{ control: [{ id: 1 }], candidate: [{ id: 1 }], operation: 'country-list', expectations, input: query },
    request: { query, headers: {}, body: new Uint8Array() },
    ...(client !== undefined && { client }),
  })

/** A tally in which one unit is enough. */
const tally = (waive: readonly string[] = []) => {
  const criteria = criteriaOf(new Map([['country-list', expectations]]), 0.01)
  const waivers = waive.map((line) => ({ line, why: 'no country depends on it', by: 'ada' }))
  return createTally(() => ({ ...criteria, demandsOf: (id) => ({ ...criteria.demandsOf(id), waive: waivers }) }))
}

describe('the verdict', () => {
  it('says what v1 never gets, with calls and clients, the most frequent first', () => {
    const one = tally()
    for (const client of ['a', 'b', 'c', 'a']) one.record(called('companyId=1&tenant=2', client))
    one.record(called('companyId=1', 'a'))
    one.record(called('sortBy=colour', 'b'))
    const { verdict, says, coverage } = only(one)
    expect(verdict).toBe('ready')
    expect(says).toMatch(
      /; 2 members that clients send never reach v1: companyId \(5 calls, 3 clients\), tenant \(4 calls, 3 clients\); some values of 1 member never reach v1: sortBy \(1 call, 1 client\)$/,
    )
    expect(coverage.notSent).toEqual([
      ...[
        { part: 'request', legacy: 'companyId', requests: 5, clients: { distinct: 3, estimated: false }, waived: null },
        { part: 'request', legacy: 'tenant', requests: 4, clients: { distinct: 3, estimated: false }, waived: null },
        { part: 'value', legacy: 'sortBy', requests: 1, clients: { distinct: 1, estimated: false }, waived: null },
      ],
    ])
  })

  it('does not say how many clients sent it where nobody knows', () => {
    const one = tally()
    one.record(called('companyId=1'))
    expect(only(one).says).toContain('1 member that clients send never reaches v1: companyId (1 call)')
  })

  it('leaves out what is waived, which the report shows with its reason', () => {
    const one = tally(['request companyId', 'value sortBy'])
    one.record(called('companyId=1&sortBy=colour', 'a'))
    const { says, coverage } = only(one)
    expect(says).not.toContain('companyId')
    expect(says).not.toContain('values')
    const waived = { why: 'no country depends on it', by: 'ada' }
    expect(coverage.notSent).toMatchObject([
      { legacy: 'companyId', waived },
      { legacy: 'sortBy', waived },
    ])
  })

  it('names the first three, and never becomes long', () => {
    const one = tally()
    for (let at = 0; at < 70; at++) one.record(called(`${'m'.repeat(2_000)}${at}=1&n${at}=1`, `client ${at}`))
    const { says, coverage } = only(one)
    expect(says).toMatch(/; more than 50 members that clients send never reach v1: .* and 47 more$/)
    expect(says.length).toBeLessThan(500)
    expect(coverage.notSent).toHaveLength(51)
    expect(coverage.notSent.at(-1)).toMatchObject({ part: 'other', legacy: '', requests: 90 })
  })

  it('says nothing of it unless it is ready', () => {
    const notSent = [
      { part: 'request', legacy: 'a', requests: 1, clients: { distinct: 1, estimated: false }, waived: null },
    ] as const
    expect(verdictInWords('not ready', { lines: 3, seen: 1, notSent })).toBe('not ready')
  })
})

it('results of an older version name nothing, and a new one adds to them', () => {
  const before = tally()
  before.record(called('companyId=1', 'a'))
  const [stored] = before.exportCounts()
  const { notSent: _, ...old } = JSON.parse(JSON.stringify(stored)) as Record<string, unknown>
  const now = tally()
  now.importCounts([operationCounts.parse(old)])
  expect(only(now).coverage.notSent).toEqual([])
  now.record(called('companyId=1', 'b'))
  expect(only(now).coverage.notSent).toMatchObject([{ legacy: 'companyId', requests: 1, clients: { distinct: 1 } }])
  expect(tallyOf().snapshot()).toEqual([])
})
