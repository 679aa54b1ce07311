import { describe, expect, it } from 'vitest'
import { parseRollout, RolloutError } from '../../../src/control-plane/rollout/rollout.ts'
import { chooseSide } from '../../../src/planes/decisions.ts'
import { aRead, parseAbout } from '../../support/rollout-setting.ts'

const KNOWN = ['invoice-list', 'currency-list']
const parse = (file: unknown, hasLegacy = true) =>
  parseAbout(KNOWN, typeof file === 'string' ? file : JSON.stringify(file), hasLegacy)

function problemsOf(file: unknown, hasLegacy = true): string {
  try {
    parse(file, hasLegacy)
  } catch (error) {
    if (error instanceof RolloutError) return error.message
    throw error
  }
  return ''
}

describe('a rollout file', () => {
  it('sets who answers and what is compared per operation, then from *, then from the defaults', () => {
    const rollout = parse({
      operations: {
        '*': { serve: 'legacy', shadow: 0.5, noise: true },
        'invoice-list': { serve: 'legacy', v1Percent: 25, clients: { 'demo-client': 'v1' }, shadow: 1, target: 0.999 },
      },
      ignore: [{ operation: 'currency-list', path: '[].rate', why: 'rates move between two reads' }],
      limits: { queue: 10 },
    })
    expect(rollout.of('invoice-list')).toEqual({
      ...{ serve: 'legacy', v1Percent: 25, clients: { 'demo-client': 'v1' }, shadow: 1, target: 0.999 },
      ...{ mayChoose: [], noise: true, confirm: true, shadowWrites: undefined, require: undefined },
    })
    expect(rollout.of('currency-list')).toMatchObject({ serve: 'legacy', shadow: 0.5, noise: true, target: 0.99 })
    expect(rollout.ignore).toEqual([
      { operation: 'currency-list', path: '[].rate', why: 'rates move between two reads' },
    ])
    expect(rollout.limits).toEqual({ queue: 10, concurrency: 8, timeoutMs: 5_000, copyWritesPerSecond: 2 })
  })

  it.each(['v1', 'legacy'] as const)(
    'may be empty: then %s answers everything by SERVE, and nothing is compared',
    (serve) => {
      const rollout = parseRollout('{}', {
        operations: KNOWN.map(aRead),
        hasLegacy: true,
        hasCopy: false,
        isKept: true,
        canSign: true,
        serve,
      })
      expect(rollout.of('invoice-list')).toEqual({
        ...{ serve, v1Percent: 0, clients: {}, shadow: 0, noise: false, confirm: true },
        ...{ mayChoose: [], shadowWrites: undefined, target: 0.99, require: undefined },
      })
      expect(rollout).toMatchObject({ confidence: 0.95, unjudged: 0.01 })
      expect(rollout.limits).toEqual({ queue: 256, concurrency: 8, timeoutMs: 5_000, copyWritesPerSecond: 2 })
    },
  )

  it.each([
    ['{', 'not JSON'],
    ['[]', 'the file'],
    [{ operation: {} }, 'operation'],
    [
      { operations: { 'invoice-lists': {} } },
      'operations.invoice-lists: no such operation; expected one of invoice-list',
    ],
    [
      '{"operations":{"__proto__":{"serve":"legacy"}}}',
      'operations.__proto__: no such operation; expected one of invoice-list',
    ],
    [{ operations: { constructor: {} } }, 'operations.constructor: no such operation; expected one of invoice-list'],
    [{ operations: { toString: {} } }, 'operations.toString: no such operation; expected one of invoice-list'],
    [
      '{"operations":{"*":{"clients":{"__proto__":"v1"}}}}',
      'operations.*.clients.__proto__: a client cannot have this name',
    ],
    [{ operations: { 'invoice-list': { serve: 'both' } } }, 'operations.invoice-list.serve'],
    [{ operations: { 'invoice-list': { server: 'v1' } } }, 'operations.invoice-list'],
    [{ operations: { 'invoice-list': { shadow: 1.1 } } }, 'operations.invoice-list.shadow'],
    [{ operations: { 'invoice-list': { v1Percent: -1 } } }, 'operations.invoice-list.v1Percent'],
    [{ operations: { 'invoice-list': { target: 1 } } }, 'operations.invoice-list.target'],
    [{ operations: { 'invoice-list': { shadowWrites: 'send' } } }, 'operations.invoice-list.shadowWrites'],
    [{ operations: { 'invoice-list': { clients: { a: 'v2' } } } }, 'operations.invoice-list.clients.a'],
    [{ ignore: [{ operation: 'other', path: 'a', why: 'b' }] }, 'ignore.0.operation: no such operation'],
    [{ ignore: [{ operation: '*', path: 'a', why: ' ' }] }, 'ignore.0.why'],
    [{ ignore: [{ operation: '*', path: '', why: 'all' }] }, 'ignore.0.kind: the path "" covers every difference'],
    [{ ignore: [{ operation: '*', path: 'a', kind: 'other', why: 'b' }] }, 'ignore.0.kind'],
    [{ confidence: 1 }, 'confidence'],
    [{ fresh: '3 weeks' }, 'fresh: must be days or hours'],
    [{ operations: { '*': { require: { days: 3 } } } }, 'operations.*.require'],
    [{ operations: { '*': { require: { coverage: 1.1 } } } }, 'operations.*.require.coverage'],
    [{ unjudged: -0.1 }, 'unjudged'],
    [{ limits: { queue: 0 } }, 'limits.queue'],
  ])('is refused if it is wrong, and the error names the place: %j', (file, place) => {
    expect(problemsOf(file)).toContain(place)
  })

  it.each([
    ['{"operations":{"*":{"serve":"legacy","serve":"v1"}}}', 'operations.*.serve'],
    [String.raw`{"operations":{"*":{"serve":"legacy","\u0073erve":"v1"}}}`, 'operations.*.serve'],
    ['{"operations":{"*":{"serve":"legacy"}},"unjudged":0.1,"operations":{}}', 'operations'],
    ['{"operations":{"*":{"clients":{"a":"v1","b":"v1","a":"legacy","a":"v1"}}}}', 'operations.*.clients.a'],
    [
      '{"ignore":[{"operation":"*","path":"a","why":"b"},{"operation":"*","path":"a","path":"c","why":"b"}]}',
      'ignore.1.path',
    ],
  ])('is refused if it has a member twice, of which JSON.parse would silently take the last: %s', (file, place) => {
    expect(problemsOf(file)).toBe(`${place}: written more than once; keep one`)
  })

  it('may use a name again in another object, and as a value', () => {
    const file = {
      operations: { '*': { serve: 'legacy', clients: { serve: 'v1' } }, 'invoice-list': { serve: 'legacy' } },
      ignore: [
        { operation: '*', path: 'why', why: '"why": {"why": 1}, \\' },
        { operation: '*', path: 'a', why: 'why' },
      ],
    }
    expect(problemsOf(JSON.stringify(file, null, 2))).toBe('')
  })

  it('names every mistake at once', () => {
    expect(problemsOf({ operations: { a: {}, b: {} }, ignore: [] }).split('\n')).toHaveLength(2)
  })

  it.each(['demo-client', 1, true, ['*'], ['a', '*']])(
    'names the clients that may choose in a list, or all as *: %j',
    (mayChoose) => {
      expect(problemsOf({ operations: { '*': { mayChoose } } })).toMatch(
        /^operations\.\*\.mayChoose.*: must be clients, for instance \["demo-client"\], or "\*" for all/,
      )
      expect(parse({ operations: { '*': { mayChoose: ['a', 'b'] } } }).of('invoice-list').mayChoose).toEqual(['a', 'b'])
    },
  )

  it('excuses dropped members by waivers of what no line names, and not by waivers of lines that need not be seen', () => {
    const by = { operation: 'invoice-list', why: 'seen by hand', by: 'ada' }
    const waive = [
      { ...by, line: 'request packages' },
      { ...by, line: 'request packages', notSent: true },
      { ...by, line: 'request gsm' },
    ]
    const { rules } = parseRollout(JSON.stringify({ waive }), {
      ...{ operations: KNOWN.map(aRead), hasLegacy: true, hasCopy: false, isKept: true, canSign: true, serve: 'v1' },
      linesOf: () => ['request packages', 'request *'],
    })
    expect(rules.map(({ path, kind }) => [path, kind])).toEqual([
      ['packages', 'dropped'],
      ['gsm', 'dropped'],
    ])
  })

  it('takes the choice of * back with an empty list', () => {
    const rollout = parse({ operations: { '*': { mayChoose: '*' }, 'invoice-list': { mayChoose: [] } } })
    expect(rollout.of('invoice-list').mayChoose).toEqual([])
  })

  it.each([{ serve: 'legacy' }, { shadow: 0.1 }, { clients: { a: 'legacy' } }, { mayChoose: '*' }])(
    'cannot use a legacy service that is not configured: %j',
    (operation) => {
      expect(problemsOf({ operations: { '*': operation } }, false)).toMatch(/operations\.\*: .*LEGACY_BASE_URL/)
      expect(problemsOf({ operations: { '*': operation } }, true)).toBe('')
    },
  )
})

describe('the side that answers a client', () => {
  const of = (operation: object) => parse({ operations: { '*': operation } }).of('invoice-list')
  const clients = Array.from({ length: 4_000 }, (_, index) => `client-${index}`)
  const onV1 = (v1Percent: number) => {
    const rollout = of({ serve: 'legacy', v1Percent })
    return clients.filter((client) => chooseSide(rollout, () => client) === 'v1')
  }

  it('is the one that the file names for the operation', () => {
    expect(chooseSide(of({ serve: 'legacy' }), () => 'a')).toBe('legacy')
    expect(chooseSide(of({ serve: 'v1' }), () => 'a')).toBe('v1')
  })

  it('is the one that the file names for the client, regardless of everything else', () => {
    const operation = of({ serve: 'legacy', v1Percent: 100, clients: { a: 'legacy', b: 'v1' } })
    expect(chooseSide(operation, () => 'a')).toBe('legacy')
    expect(chooseSide({ ...operation, serve: 'v1' }, () => 'a')).toBe('legacy')
    expect(chooseSide({ ...operation, v1Percent: 0 }, () => 'b')).toBe('v1')
    expect(chooseSide(operation, () => 'toString')).toBe('v1')
  })

  it('is v1 for about the percentage of clients in the file: all at 100, none at 0', () => {
    expect(onV1(0)).toHaveLength(0)
    expect(onV1(100)).toHaveLength(clients.length)
    expect(onV1(25).length / clients.length).toBeCloseTo(0.25, 1)
  })

  it('stays v1 for a client when the percentage rises', () => {
    const [few, more] = [onV1(10), new Set(onV1(40))]
    expect(few.filter((client) => !more.has(client))).toEqual([])
    expect(onV1(10)).toEqual(few)
  })
})
