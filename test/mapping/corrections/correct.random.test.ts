import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { compileOperations } from '../../../src/engine/compile/compile-operations.ts'
import { correct } from '../../../src/mapping/corrections/correct.ts'
import { type AnswerLine, CorrectionsError, type RequestLine } from '../../../src/mapping/corrections/corrections.ts'
import { parseCorrections } from '../../../src/mapping/corrections/parse-corrections.ts'
import type { Shape } from '../../../src/mapping/shape.ts'
import { runs } from '../../support/random-runs.ts'

/** The paths of a shape on both sides, and through its lists. */
function pathsOf(shape: Shape, legacy: string, v1: string): readonly (readonly [legacy: string, v1: string])[] {
  const within = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)
  return Object.entries(shape.rules).flatMap(([member, rule]) => {
    const here = [within(legacy, member), within(v1, rule.kind === 'field' ? (rule.v1 ?? member) : member)] as const
    if (rule.kind !== 'field' || !('shape' in rule.value)) return [here]
    const items = rule.value.kind === 'list' ? '[]' : ''
    return [here, ...pathsOf(rule.value.shape, `${here[0]}${items}`, `${here[1]}${items}`)]
  })
}

const name = fc.constantFrom('plate', 'region', 'tags', 'code', 'name', 'id', 'rates', 'rate', 'status')
const tail = fc.array(
  fc.oneof({ weight: 4, arbitrary: name.map((text) => `.${text}`) }, { weight: 1, arbitrary: fc.constant('[]') }),
  { maxLength: 3 },
)

/** Paths that are in a mapping, near to it, or made up. */
const pathIn = (paths: readonly string[], root: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(root, ...paths), fc.boolean(), tail)
    .map(([path, isWhole, more]) => `${path}${isWhole && path !== root ? '' : more.join('')}`.replace(/^\./, ''))

const conversion = fc.oneof(
  fc.constant({}),
  fc.constantFrom('string', 'number', '0/1', 'timestamp', 'epoch').map((as) => ({ as })),
  fc.constantFrom(
    { scale: 2 },
    { enum: { a: 'A', b: 'B' } },
    {
      enum: [
        [1, 'A'],
        [1, 'B'],
      ],
    },
    { enum: { a: 'A', b: 'A' } },
  ),
)
const absent = fc.constantFrom({}, {}, { absent: 'null' }, { absent: 'missing' })

function answerLine(v1: fc.Arbitrary<string>): fc.Arbitrary<AnswerLine> {
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(v1, conversion, absent).map(([from, as, none]) => ({ from, ...as, ...none }) as AnswerLine),
    },
    {
      weight: 1,
      arbitrary: fc.array(fc.oneof(v1, fc.constant(' ')), { minLength: 1, maxLength: 3 }).map((join) => ({ join })),
    },
    { weight: 1, arbitrary: fc.constantFrom<AnswerLine>({ always: [1] }, { lost: 'gone' }, { drop: true }) },
  )
}
const requestLine = (v1: fc.Arbitrary<string>): fc.Arbitrary<RequestLine> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(v1, conversion).map(([to, as]) => ({ to, ...as }) as RequestLine) },
    { weight: 1, arbitrary: fc.constant<RequestLine>({ drop: true }) },
  )

const tableOf = <Line>(path: fc.Arbitrary<string>, line: fc.Arbitrary<Line>): fc.Arbitrary<Record<string, Line>> =>
  fc.array(fc.tuple(path, line), { maxLength: 3 }).map(Object.fromEntries)

const file = fc.constantFrom(...operations).chain((operation) => {
  const { id, request, response } = operation
  const ofAnswer =
    response.kind === 'page'
      ? [
          ...pathsOf(response.rows.shape, `${response.rows.at}[]`, 'items[]'),
          ...pathsOf(response.meta.shape, response.meta.at, 'meta'),
        ]
      : 'shape' in response
        ? pathsOf(
            response.shape,
            response.kind === 'record' ? '' : '[]',
            response.kind === 'record' ? 'data' : 'items[]',
          )
        : []
  const ofRequest =
    request.kind === 'body'
      ? pathsOf(request.shape, '', '')
      : Object.keys('parameters' in request ? request.parameters : {}).map((one) => [one, one] as const)
  const legacyRoot = response.kind === 'record' ? '' : response.kind === 'page' ? 'data[]' : '[]'
  const v1Root = response.kind === 'record' ? 'data' : 'items[]'
  const sides = (paths: readonly (readonly [string, string])[], side: 0 | 1) => paths.map((pair) => pair[side])
  return fc.record({
    id: fc.constant(id),
    response: tableOf(pathIn(sides(ofAnswer, 0), legacyRoot), answerLine(pathIn(sides(ofAnswer, 1), v1Root))),
    request: tableOf(pathIn(sides(ofRequest, 0), ''), requestLine(pathIn(sides(ofRequest, 1), ''))),
  })
})

test('corrections are refused in words, or give mappings that can be used', () => {
  let used = 0
  fc.assert(
    fc.property(file, ({ id, response, request }) => {
      const text = JSON.stringify({ operations: { [id]: { response, request } } })
      try {
        compileOperations(correct(operations, parseCorrections(text)))
        used++
      } catch (error) {
        if (!(error instanceof CorrectionsError)) throw error
        for (const line of error.message.split('\n')) expect(line).toMatch(/^operations\..+: \S/)
      }
    }),
    { numRuns: runs(4_000) },
  )
  expect(used).toBeGreaterThan(0)
})
