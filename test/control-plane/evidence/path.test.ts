import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundedPath,
  covers,
  itemsPath,
  memberPath,
  moved,
  pathOf,
  segmentsOf,
} from '../../../src/control-plane/evidence/diff/path.ts'
import { anyCharacter } from '../../support/any-character.ts'

const segments = fc.array(
  fc.oneof(
    fc.constant(null),
    fc.constantFrom(
      'a',
      'priceTry',
      '',
      '.',
      'a.b',
      '[]',
      '["a"]',
      '"',
      ']',
      '[',
      ' ',
      '\n',
      '\\',
      '\ud800',
      '\u0000',
      'ünï-x$',
      '__proto__',
    ),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
  ),
  { maxLength: 6 },
)

describe('a path', () => {
  it.each([
    [[], ''],
    [['data', null, 'priceTry'], 'data[].priceTry'],
    [[null, 'rate'], '[].rate'],
    [[null, null], '[][]'],
    [['data', 'a.b', 'c'], 'data["a.b"].c'],
    [['a.b'], '["a.b"]'],
    [['', '[]', null, 'ünï-x'], '[""]["[]"][].ünï-x'],
    [['a b', 'say "x"', '\n'], '["a b"]["say \\"x\\""]["\\n"]'],
  ])('of %j is %s', (names, path) => {
    expect(pathOf(names)).toBe(path)
    expect(segmentsOf(path)).toEqual(names)
  })

  it('means one place, and a place has one path', () => {
    fc.assert(
      fc.property(segments, (place) => {
        expect(segmentsOf(pathOf(place))).toEqual(place)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a path covers', () => {
  it.each([
    ['[].rate', '[].rate', true],
    ['[].rate', '[].rate.x', true],
    ['[].rate', '[].rate[]', true],
    ['[].rate', '[].rate["a.b"]', true],
    ['[].rate', '[].rates', false],
    ['[].rate', '[]', false],
    ['data', 'data[].id', true],
    ['', '', true],
    ['', '[].rate', true],
    ['', 'rate', true],
    ['rate', '', false],
  ])('%j and %j: %s', (above, path, covered) => {
    expect(covers(above, path)).toBe(covered)
  })

  it('is itself and everything beneath it', () => {
    fc.assert(
      fc.property(segments, segments, (one, other) => {
        const isBeneath = one.every((segment, at) => at < other.length && other[at] === segment)
        expect(covers(pathOf(one), pathOf(other))).toBe(isBeneath)
        expect(covers(pathOf(one), pathOf([...one, ...other]))).toBe(true)
      }),
    )
  })
})

it('a path can be moved from one parent to another', () => {
  fc.assert(
    fc.property(segments, segments, segments, (from, to, rest) => {
      expect(moved(pathOf([...from, ...rest]), pathOf(from), pathOf(to))).toBe(pathOf([...to, ...rest]))
    }),
  )
  expect(memberPath(itemsPath('data'), 'x')).toBe('data[].x')
})

it('a long path is cut, and a hash distinguishes it from others with the same beginning', () => {
  const long = `data[].${'ü'.repeat(400)}`
  const [one, other] = [boundedPath(`${long}a`), boundedPath(`${long}b`)]
  expect(one).not.toBe(other)
  expect(one).toMatch(/^data\[\]\.ü+…#[0-9a-f]{8}$/)
  expect(Buffer.byteLength(one)).toBeLessThanOrEqual(512)
  expect(boundedPath(`a.${'b'.repeat(510)}`)).toBe(`a.${'b'.repeat(510)}`)
  expect(() => segmentsOf(boundedPath(memberPath('', `"${'.'.repeat(600)}`)))).not.toThrow()
})
