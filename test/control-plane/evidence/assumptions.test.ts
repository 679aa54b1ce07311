import { describe, expect, it } from 'vitest'
import type { Kind } from '../../../src/control-plane/evidence/diff/difference.ts'
import { assumed, at, expectationsFrom, line, mappedExpectations } from './support/lines.ts'

const lines = [
  assumed('', 'data', { change: 'passed on' }),
  line('id', 'data.id'),
  assumed('rows', 'data.rows'),
  assumed('rows[].id', null, { change: 'filled in' }),
  assumed('tags', 'data.tags'),
  assumed('rate.selling', 'data.rates.selling'),
  assumed('message', 'message', { part: 'error' }),
]
const { assumptions } = expectationsFrom(lines)
const named = (path: string, change = 'same') => {
  const found = assumptions.find(({ line }) => line.legacy === path && line.change === change)
  if (found === undefined) throw new Error(`nothing is assumed of ${path}`)
  return found
}

describe('an assumption', () => {
  it('is every assumed line of the mapping', () => {
    expect(assumptions.map(({ part, line: { legacy } }) => `${part} ${legacy}`)).toEqual([
      'answer ',
      'answer rows',
      'answer rows[].id',
      'answer tags',
      'answer rate.selling',
      'error message',
    ])
    expect(mappedExpectations('currency-list').assumptions.map(({ line: { legacy } }) => legacy)).toContain(
      '[].rate.buyingRateTry',
    )
  })
})

describe('a body tests a line', () => {
  it.each([
    ['rows', { rows: [] }, true],
    ['rows', { rows: null }, false],
    ['rows', { other: 1 }, false],
    ['rows', [1], false],
    ['rate.selling', { rate: { selling: 1 } }, true],
    ['rate.selling', { rate: 1 }, false],
  ])('%s: if it has a value there: %j %s', (path, body, isIn) => {
    expect(named(path).isIn(body)).toBe(isIn)
  })

  it('if it has a value there in any item', () => {
    expect(named('rows[].id', 'filled in').isIn({ rows: [{ id: null }, {}, { id: 7 }] })).toBe(true)
    expect(named('rows[].id', 'filled in').isIn({ rows: [{ id: null }] })).toBe(false)
    expect(named('rows[].id', 'filled in').isIn({ rows: [] })).toBe(false)
  })

  it('if it has an unlisted member, where the line is about such members', () => {
    expect(named('', 'passed on').isIn({ id: 1, rows: [], rate: {} })).toBe(false)
    expect(named('', 'passed on').isIn({ id: 1, other: 2 })).toBe(true)
    expect(named('', 'passed on').isIn({ id: 1, other: null })).toBe(false)
  })
})

describe('a difference refutes a line', () => {
  const refuted = (path: string, kind: Kind, part: 'answer' | 'error' = 'answer') =>
    assumptions
      .filter((assumption) => assumption.isRefutedBy(at(path, kind, part)))
      .map(({ line: { legacy } }) => legacy)

  it.each([
    ['tags', 'missing', ['tags']],
    ['tags[]', 'changed', ['tags']],
    ['tags', 'length', ['tags']],
    ['rate.selling', 'changed', ['rate.selling']],
    ['rate', 'type', ['rate.selling']],
    ['rows', 'missing', ['rows']],
    ['rows[].id', 'changed', ['rows[].id']],
    ['rows[].other', 'changed', ['']],
    ['other', 'extra', ['']],
  ] as const)('%s %s: %j', (path, kind, expected) => {
    expect(refuted(path, kind)).toEqual(expected)
  })

  it('but not at another place, and not of another kind', () => {
    expect(refuted('id', 'changed')).toEqual([])
    expect(refuted('rows', 'length')).toEqual([])
    expect(refuted('rows', 'order')).toEqual([])
    expect(refuted('rows[]', 'missing')).toEqual([])
    expect(refuted('rows[]', 'type')).toEqual([])
    expect(refuted('', 'type')).toEqual([])
    expect(refuted('tags', 'changed', 'error')).toEqual([])
    expect(refuted('message', 'type', 'error')).toEqual(['message'])
  })
})
