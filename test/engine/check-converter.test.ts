import { describe, expect, it } from 'vitest'
import { checkConverter } from '../../src/engine/compile/check-converter.ts'
import { compileOperations } from '../../src/engine/compile/compile-operations.ts'
import type { Converter } from '../../src/mapping/converter.ts'
import { decimalConverter, enumConverter, timestampConverter } from '../../src/mapping/converter.ts'
import { operation, page, post, record } from '../../src/mapping/operation.ts'
import { convertedBy } from '../../src/mapping/reader.ts'
import { body, bodyParameters, query, stitched } from '../../src/mapping/request.ts'
import { converted, shape } from '../../src/mapping/shape.ts'

const yesNo: Converter = {
  says: 'legacy writes Y and N',
  samples: [
    { legacy: '"Y"', v1: 'true' },
    { legacy: '"N"', v1: 'false' },
  ],
  toLegacy: (v1) => ({ true: '"Y"', false: '"N"' })[v1],
  toV1: (legacy) => ({ '"Y"': 'true', '"N"': 'false' })[legacy],
}
const problemsOf = (change: Partial<Converter>): readonly string[] => checkConverter({ ...yesNo, ...change })

/** A converter written with only usual values in mind: it divides cents by 100. */
const naive: Partial<Converter> = {
  samples: [{ legacy: '12.50', v1: '1250' }],
  toLegacy: (v1) => (Number(v1) / 100).toFixed(2),
  toV1: (legacy) => String(Math.round(Number(legacy) * 100)),
}

describe('a converter', () => {
  it.each<readonly [string, Converter]>([
    ['of one’s own', yesNo],
    ['of timestamps', timestampConverter],
    ['of an enum', enumConverter({ open: 'PENDING', a: 'b', b: 'a' })],
    ...[1, 2, 3, 18].map((scale) => [`of decimals of scale ${scale}`, decimalConverter(scale)] as const),
  ])('%s is valid', (_, converter) => {
    expect(checkConverter(converter)).toEqual([])
  })

  it.each<[string, Partial<Converter>, string]>([
    ['when it has no description', { says: ' ' }, 'the converter does not say what it changes'],
    ['when it has no samples', { samples: [] as never }, 'the converter has no samples'],
    [
      'when a sample is not JSON',
      { samples: [{ legacy: 'Y', v1: 'true' }] },
      'the sample Y is not JSON: a text needs its quotes',
    ],
    [
      'when a sample is converted to another value',
      { samples: [{ legacy: '"Y"', v1: 'false' }] },
      'toLegacy turns the sample false into "N", but should return "Y"',
    ],
    [
      'when a sample is left alone',
      { samples: [{ legacy: '"J"', v1: 'true' }] },
      'toV1 leaves the sample "J" unchanged, but should return true',
    ],
    [
      'when a sample is null',
      { samples: [{ legacy: '"Y"', v1: 'null' }] },
      'the sample null never reaches a converter: null, objects and lists pass unchanged',
    ],
    [
      'when a sample makes it throw',
      { toLegacy: () => raise('oh no') },
      'toLegacy of the sample true fails with "oh no"',
    ],
    ['when it returns something that is not JSON', naive, 'toLegacy of "" returns NaN, which is not JSON'],
    [
      'when an unknown value makes it throw',
      { toV1: (legacy) => yesNo.toV1(legacy) ?? String(BigInt(legacy)) },
      'toV1 of "" fails with "Cannot convert "" to a BigInt"; it must return undefined for unknown values',
    ],
  ])('is invalid %s', (_, change, problem) => {
    expect(problemsOf(change).join('\n')).toContain(problem)
  })
})

describe('a wrong converter stops the start', () => {
  const wrong = { ...yesNo, samples: [{ legacy: '"Y"', v1: 'false' }] } as const
  const problem = 'toLegacy turns the sample false into "N", but should return "Y"'
  const nothing = shape('Nothing', {})
  const made = {
    says: 'Made up.',
    legacy: post('/made/up'),
    v1: post('/api/v1/made-up'),
    request: body(nothing),
    response: record(nothing),
    effect: 'write',
    authorization: 'none',
  } as const

  it('and is named by file and member when a table uses it', () => {
    const things = shape('Thing', { active: converted(wrong) })
    expect(() => compileOperations([operation('made-up', { ...made, request: body(things) })])).toThrow(
      `mappings/made-up: request: Thing, active: ${problem}`,
    )
  })

  it('and is named by file and member when it reads a parameter', () => {
    const paging = { page: 'page', perPage: 'perPage', mostPerPage: 200 }
    const request = bodyParameters(
      { page: query(), perPage: query(), active: query(convertedBy(wrong)) },
      { stitching: stitched({ paging, defaultPerPage: 25 }) },
    )
    const response = page({ rows: ['data', nothing], meta: ['pagination', nothing] })
    expect(() => compileOperations([operation('made-up', { ...made, request, response })])).toThrow(
      `mappings/made-up: request, active: ${problem}`,
    )
  })
})

function raise(message: string): never {
  throw new Error(message)
}
