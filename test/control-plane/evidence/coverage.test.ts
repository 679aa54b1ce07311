import { describe, expect, it } from 'vitest'
import type { AskedRequest } from '../../../src/control-plane/evidence/coverage/lines-to-see.ts'
import { lineText } from '../../../src/control-plane/evidence/coverage/lines-to-see.ts'
import { type Expectations, expectationsOf } from '../../../src/control-plane/evidence/expected/expectations.ts'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import { createTally, type Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import type { Demands } from '../../../src/control-plane/evidence/tally/verdict.ts'
import { explain } from '../../../src/guide/lines/explain.ts'
import { type Operation, operation, post, record } from '../../../src/mapping/operation.ts'
import { body } from '../../../src/mapping/request.ts'
import { list, same, shape } from '../../../src/mapping/shape.ts'
import { mappedExpectations } from './support/lines.ts'
import { criteriaOf, demands, observe, only, reply, tallyOf } from './support/observing.ts'

const linesOf = ({ toSee }: Expectations): readonly string[] => toSee.map(lineText)
const starting = (start: string, lines: readonly string[]) => lines.filter((line) => line.startsWith(start))

describe('the lines to be seen', () => {
  it('of a list of pages: filters, languages, members, pages', () => {
    // docs/contract.md 6.8 and 7.1: thirteen filters, nineteen members of an invoice, four counts.
    expect(linesOf(mappedExpectations('invoice-list'))).toEqual([
      ...['request page', 'request perPage', 'request sortBy', 'request sortOrder', 'request search', 'request id'],
      ...['request number', 'request isPayment', 'request statusId'],
      ...['request dateAtBetween.startAt', 'request dateAtBetween.endAt'],
      ...['request paymentExpirationAtBetween.startAt', 'request paymentExpirationAtBetween.endAt'],
      ...['language tr', 'language en'],
      ...['answer data[].id', 'answer data[].number', 'answer data[].dateAt', 'answer data[].paymentExpirationAt'],
      ...['answer data[].priceTry', 'answer data[].priceUsd', 'answer data[].firstName', 'answer data[].lastName'],
      ...['answer data[].citizenshipNumber', 'answer data[].company', 'answer data[].taxNumber'],
      ...['answer data[].isPaid', 'answer data[].status', 'answer data[].status.id', 'answer data[].status.slug'],
      ...['answer data[].addressType', 'answer data[].addressType.id', 'answer data[].addressType.slug'],
      ...['answer data[].currency.code', 'answer pagination.count', 'answer pagination.page'],
      ...['answer pagination.perPage', 'answer pagination.lastPage'],
      ...['paging more than one page', 'paging more than 200 rows'],
    ])
  })

  it('of a list that legacy answers whole have no pages', () => {
    const lines = linesOf(mappedExpectations('country-list'))
    expect(starting('request', lines)).toHaveLength(6)
    expect(starting('answer', lines)).toHaveLength(9)
    expect(starting('paging', lines)).toEqual(['paging more than 200 rows'])
  })

  it('leave out lost members of request and answer, and error codes without a line of their own', () => {
    const price = linesOf(mappedExpectations('price'))
    expect(price).toContain('request packages')
    expect(price).toContain('answer [].packages[].piece')
    expect(price).not.toContain('request packages[].id')
    expect(price).not.toContain('answer [].packages[].perimeter')
    expect(starting('error', price)).toEqual([])
    expect(starting('error', linesOf(mappedExpectations('import-create')))).toEqual([
      'error SINGLE_POINT_IMPORT_CHARGE_FAILED',
    ])
    expect(linesOf(mappedExpectations('charge-list'))).toEqual([])
  })
})

interface Call {
  readonly body?: unknown
  readonly query?: string
  readonly language?: string
}

const request = ({ body, query = '', language }: Call): AskedRequest => ({
  query,
  headers: { 'accept-language': language },
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
})

/** The lines that an exchange shows; a star marks those that differ. */
function shownBy(expectations: Expectations, call: Call, control: unknown, candidate = control): readonly string[] {
  const { coverage } = observe({ expectations, control, candidate, request: request(call) })
  return coverage.map((line) => `${lineText(line)}${line.differs ? ' *' : ''}`)
}

const invoices = mappedExpectations('invoice-list')
const countries = mappedExpectations('country-list')
const page = (rows: readonly object[], more: object = {}) => ({
  data: rows,
  pagination: { count: rows.length, page: 1, perPage: 25, lastPage: 1, ...more },
})
const PAGINATION = ['count', 'page', 'perPage', 'lastPage'].map((name) => `answer pagination.${name}`)

describe('an exchange shows', () => {
  it('the members that its request sends and its control answers', () => {
    const call = { body: { statusId: 2, dateAtBetween: { startAt: '2025-01-01' } } }
    expect(shownBy(invoices, call, page([{ id: null }, { id: 7, status: { id: 1, slug: null } }]))).toEqual([
      ...['request statusId', 'request dateAtBetween.startAt', 'language tr'],
      ...['answer data[].id', 'answer data[].status', 'answer data[].status.id', ...PAGINATION],
    ])
  })

  it.each([
    ['null', { statusId: null }],
    ['empty', { search: '', dateAtBetween: [] }],
    ['only a value that v1 removed', { statusId: 4 }],
    ['unknown to the mapping', { other: 1 }],
    ['no body', undefined],
  ])('no member of a request that is %s', (_, body) => {
    expect(starting('request', shownBy(invoices, { body }, page([])))).toEqual([])
  })

  it('a parameter of the query, but not one whose value the gateway leaves out', () => {
    const lines = (query: string) => starting('request', shownBy(countries, { query }, []))
    expect(lines('sortBy=name&code=tr&other=1')).toEqual(['request sortBy', 'request code'])
    expect(lines('sortBy=colour')).toEqual([])
    expect(lines('code=tr&code=')).toEqual([])
  })

  it('its language', () => {
    const language = (accepted?: string) =>
      starting('language', shownBy(countries, accepted === undefined ? {} : { language: accepted }, []))
    expect(language()).toEqual(['language tr'])
    expect(language('en-GB,en;q=0.9')).toEqual(['language en'])
    expect(language('de, en')).toEqual(['language tr'])
  })

  it('pages: several, and more rows than v1 gives at once', () => {
    const paging = (control: unknown) => starting('paging', shownBy(invoices, {}, control))
    const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))
    expect(paging(page(rows(25)))).toEqual([])
    expect(paging(page(rows(25), { lastPage: 2 }))).toEqual(['paging more than one page'])
    expect(paging(page(rows(200)))).toEqual([])
    expect(paging(page(rows(201)))).toEqual(['paging more than 200 rows'])
    expect(starting('paging', shownBy(countries, {}, rows(201)))).toEqual(['paging more than 200 rows'])
    expect(starting('paging', shownBy(countries, {}, rows(200)))).toEqual([])
  })

  it('its request and v1’s code if it is an error, and no member of a success', () => {
    const expectations = mappedExpectations('import-create')
    const call = request({ body: { name: 'spring', shipmentId: '1Z' } })
    const refused = reply({ message: 'no', id: 1 }, 406)
    const charged = { ...refused, code: 'SINGLE_POINT_IMPORT_CHARGE_FAILED' }
    const observed = observe({ expectations, control: refused, candidate: charged, request: call })
    expect(observed.coverage.map(lineText)).toEqual([
      ...['request name', 'request shipmentId', 'language tr', 'error SINGLE_POINT_IMPORT_CHARGE_FAILED'],
    ])
    const other = observe({ expectations, control: refused, candidate: { ...refused, code: 'OTHER' }, request: call })
    expect(starting('error', other.coverage.map(lineText))).toEqual([])
  })

  it('a difference in its own line, and in all lines about the whole call', () => {
    const call = { body: { page: 1 } }
    expect(shownBy(invoices, call, page([{ id: 1, number: 'A' }]), page([{ id: 1, number: 'B' }]))).toEqual([
      ...['request page *', 'language tr *', 'answer data[].id', 'answer data[].number *', ...PAGINATION],
    ])
    expect(shownBy(invoices, call, page([]), reply({}, 406)).every((line) => line.endsWith('*'))).toBe(true)
  })

  it('no difference that drifted or that the mapping declares lost, but one that a rule ignores', () => {
    const row = (price: number) => page([{ priceTry: price }])
    const observed = observe({
      ...{ expectations: invoices, request: request({}), control: row(1), candidate: row(2) },
      ...{ control2: row(2), candidate2: row(2) },
    })
    expect(observed).toMatchObject({ outcome: 'ignored', differences: [{ standing: 'drift' }] })
    expect(observed.coverage.some(({ differs }) => differs)).toBe(false)
    const quote = (packages: object) => [{ fuelSurcharges: 1, packages: [packages] }]
    const lost = shownBy(mappedExpectations('price'), {}, quote({ perimeter: 1 }), quote({ perimeter: null }))
    expect(lost.filter((line) => line.endsWith('*'))).toEqual([])
    const rule = [{ operation: '*', path: 'data[].priceTry', why: 'moves' }]
    expect(shownBy(mappedExpectations('invoice-list', rule), {}, row(1), row(2))).toContain('answer data[].priceTry *')
  })

  it('nothing if it was not compared', () => {
    const asked = { expectations: invoices, request: request({ body: { page: 1 } }) }
    const failed = observe({ ...asked, control: { failure: 'timeout' }, candidate: page([]) })
    const refused = observe({ ...asked, control: reply({}, 401), candidate: reply({}, 401) })
    expect([failed.outcome, refused.outcome]).toEqual(['failed', 'skipped'])
    expect([...failed.coverage, ...refused.coverage]).toEqual([])
  })
})

const thing: Operation = operation('made-up', {
  says: 'Made up.',
  legacy: post('/api/thing'),
  v1: post('/api/v1/things'),
  request: body(shape('Wanted', { title: same(), parts: list(shape('Part', { weight: same() })) }, { closed: true })),
  response: record(shape('Thing', { id: same(), title: same() }, { closed: true })),
  effect: 'calculation',
  authorization: 'token',
})
/** request title, parts, parts[].weight; language tr, en; answer id, title. */
const expectations = expectationsOf(thing, explain(thing))

/** A tally with equal exchanges of a thing, each with its own input. */
function exercised(
  seen: { readonly control?: object; readonly body?: object },
  times: number,
  more: Partial<Demands> = {},
): Tally {
  const { control = { id: 1 }, body: sent = { title: 'a' } } = seen
  const demanded = { ...criteriaOf(new Map([['made-up', expectations]])), demandsOf: () => ({ ...demands(), ...more }) }
  const tally = createTally(() => demanded)
  for (let at = 0; at < times; at++) {
    tally.record(
      observe({ expectations, control, candidate: control, input: `${at}`, request: request({ body: sent }) }),
    )
  }
  return tally
}

describe('coverage', () => {
  it('is the share of the lines that were seen, and names the others', () => {
    expect(only(exercised({}, 299))).toMatchObject({
      verdict: 'ready',
      says: 'ready; 4 of 7 lines were never seen',
      coverage: {
        ...{ lines: 7, seen: 3, share: 3 / 7 },
        unseen: [
          { part: 'request', legacy: 'parts' },
          { part: 'request', legacy: 'parts[].weight' },
          { part: 'language', legacy: 'en' },
          { part: 'answer', legacy: 'title' },
        ],
      },
    })
    expect(Object.keys(only(exercised({}, 1)).coverage)).toEqual(['lines', 'seen', 'share', 'unseen', 'notSent'])
  })

  it('counts in how many exchanges each line showed, and in how many it differed', () => {
    const tally = exercised({}, 3)
    tally.record(
      observe({ expectations, control: { id: 1 }, candidate: { id: 2 }, request: request({ language: 'en' }) }),
    )
    expect(only(tally).exercised).toMatchObject([
      { part: 'request', legacy: 'title', requests: 3, differed: 0, waived: null },
      ...[{ requests: 0 }, { requests: 0 }],
      { part: 'language', legacy: 'tr', requests: 3, differed: 0 },
      { part: 'language', legacy: 'en', requests: 1, differed: 1 },
      { part: 'answer', legacy: 'id', requests: 4, differed: 1 },
      { part: 'answer', legacy: 'title', requests: 0, differed: 0 },
    ])
  })

  it('is named as missing, rounded down', () => {
    const missing = (coverage: number) => only(exercised({}, 299, { require: { coverage, clients: 3 } }))
    expect(missing(0.43)).toMatchObject({
      ...{ verdict: 'insufficient data', says: 'insufficient data' },
      missing: ['coverage 42.85 % of 43 %', 'clients 0 of 3'],
    })
    expect(missing(0.42).missing).toEqual(['clients 0 of 3'])
    // Three of seven are enough for exactly three sevenths.
    expect(only(exercised({}, 299, { require: { coverage: 3 / 7 } })).verdict).toBe('ready')
  })

  it('leaves out waived lines, and says who waived them', () => {
    const waived = [
      { operation: 'made-up', line: 'request parts', why: 'nobody sends parts', by: 'ada' },
      { operation: '*', line: 'request parts[].weight', why: 'nobody sends parts', by: 'ada' },
      { operation: '*', line: 'language en', why: 'all clients are Turkish', by: 'ada' },
    ]
    const report = only(exercised({}, 299, { require: { coverage: 0.75 }, waive: waived }))
    expect(report).toMatchObject({
      ...{ verdict: 'ready', says: 'ready; 1 of 4 lines was never seen' },
      coverage: { lines: 4, seen: 3, share: 0.75, unseen: [{ part: 'answer', legacy: 'title' }] },
    })
    expect(report.exercised.find(({ legacy }) => legacy === 'en')).toEqual({
      ...{ part: 'language', legacy: 'en', requests: 0, differed: 0 },
      waived: { why: 'all clients are Turkish', by: 'ada' },
    })
  })

  it('is complete if the mapping has no line that calls can show', () => {
    const tally = tallyOf()
    for (let at = 0; at < 299; at++) tally.record(observe({ control: [1], candidate: [1], input: `${at}` }))
    expect(only(tally)).toMatchObject({ says: 'ready', coverage: { lines: 0, seen: 0, share: 1, unseen: [] } })
  })

  it('adds up over restarts and several processes, for one version of both services', () => {
    const [one, other] = [exercised({}, 2), exercised({ body: { parts: [{ weight: 1 }] } }, 3)]
    const newer = observe({ expectations, control: { id: 1 }, candidate: { id: 1 }, request: request({}) })
    const sum = exercised({}, 0)
    for (const tally of [one, other]) sum.importCounts(JSON.parse(JSON.stringify(tally.exportCounts())))
    const counts = (tally: Tally) => only(tally).exercised.map(({ requests }) => requests)
    expect(counts(sum)).toEqual([2, 3, 3, 5, 0, 5, 0])
    sum.record({ ...newer, at: Date.now(), releases: { v1: '2', legacy: undefined } })
    expect(only(sum).lineage.v1).toBe('2')
    expect(counts(sum)).toEqual([0, 0, 0, 1, 0, 1, 0])
  })

  it('is empty for results that were stored before coverage existed', () => {
    const [stored] = exercised({}, 1).exportCounts()
    const { coverage: _, ...before } = JSON.parse(JSON.stringify(stored))
    const tally = exercised({}, 0)
    tally.importCounts([operationCounts.parse(before)])
    expect(only(tally)).toMatchObject({ totals: { matched: 1 }, coverage: { lines: 7, seen: 0 } })
  })

  it('keeps only lines of the mapping, regardless of what clients send and services answer', () => {
    const tally = exercised({}, 0)
    for (let at = 0; at < 500; at++) {
      const odd = { [`m${at}`]: at, title: at }
      tally.record(
        observe({ expectations, control: odd, candidate: odd, request: request({ body: odd, query: `q${at}=1` }) }),
      )
    }
    expect(tally.exportCounts()[0]?.coverage).toHaveLength(3)
  })
})
