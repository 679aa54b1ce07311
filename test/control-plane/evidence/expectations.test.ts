import { describe, expect, it } from 'vitest'
import type { Where } from '../../../src/control-plane/evidence/diff/difference.ts'
import { assumed, at, expectationsFrom, line, lost, mappedExpectations } from './support/lines.ts'

describe('the v1 path of a legacy path', () => {
  const v1Of = (id: string, path: string, part: Where['part'] = 'answer') =>
    mappedExpectations(id).v1Path(at(path, 'changed', part))

  it.each([
    ['country-list', '[].flagW20', 'items[].flags.w20'],
    ['country-list', '[].code', 'items[].code'],
    ['invoice-list', 'data[].priceTry', 'items[].priceTry'],
    ['invoice-list', 'data[].currency.code', 'items[].currencyCode'],
    ['invoice-list', 'data[].status.slug', 'items[].status.slug'],
    ['invoice-list', 'pagination.lastPage', 'meta.pageCount'],
    ['auth', 'token', 'data.token'],
    ['document', 'packages[].activityStatus.id', 'data.packages[].activityStatus.id'],
    ['price', '[].packages[].additionalFees[].type', 'items[].packages[].additionalFees[].slug'],
  ])('%s: %s is named by a line: %s', (id, path, v1) => {
    expect(v1Of(id, path)).toBe(v1)
  })

  it.each([
    ['country-list', '', 'items'],
    ['country-list', '[]', 'items[]'],
    ['country-list', '[].other.x', 'items[].other.x'],
    ['city-list', '[].name', 'items[].name'],
    ['city-list', '[]["a.b"]', 'items[]["a.b"]'],
    ['invoice-list', '', ''],
    ['invoice-list', 'data', 'items'],
    ['invoice-list', 'data[]', 'items[]'],
    ['invoice-list', 'data[].other', 'items[].other'],
    ['invoice-list', 'data[].status.name', 'items[].status.name'],
    ['invoice-list', 'pagination', 'meta'],
    ['invoice-list', 'other', 'other'],
    ['auth', '', 'data'],
    ['auth', 'expiresIn', 'data.expiresIn'],
    ['package', 'packages[].desi', 'data.packages[].desi'],
    ['price', '[].packages[].width', 'items[].packages[].width'],
  ])('%s: %s lies within a place that a line names: %s', (id, path, v1) => {
    expect(v1Of(id, path)).toBe(v1)
  })

  it.each([
    ['currency-list', '[].rate', 'items[].rates'],
    ['invoice-list', 'data[].currency', 'items[].currencyCode'],
  ])('%s: %s comes from where everything beneath it comes from: %s', (id, path, v1) => {
    expect(v1Of(id, path)).toBe(v1)
  })

  it('is null if v1 does not have it', () => {
    expect(v1Of('document', 'freightPrice')).toBeNull()
    expect(v1Of('document', 'orderData.lines[]')).toBeNull()
    expect(v1Of('document', 'currency.updatedAt')).toBeNull()
    expect(v1Of('price', '[].packages[].perimeter')).toBeNull()
  })

  it.each([
    ['city-list', '[].mayor'],
    ['city-list', '[].mayor.name'],
    ['country-list', '[].other.x'],
    ['invoice-list', 'data[].other'],
    ['invoice-list', 'data[].status.name'],
    ['invoice-list', 'other'],
    ['auth', 'expiresIn'],
    ['price', '[].packages[].width'],
  ])('%s: %s is null if only legacy has it and no line names it', (id, path) => {
    expect(mappedExpectations(id).v1Path(at(path, 'missing'))).toBeNull()
    expect(mappedExpectations(id).v1Path(at(path, 'missing', 'error'))).toBeNull()
    expect(mappedExpectations(id).v1Path(at(path, 'extra'))).not.toBeNull()
  })

  it('is where a line says if v1 lacks it although it should have it', () => {
    expect(mappedExpectations('country-list').v1Path(at('[].flagW20', 'missing'))).toBe('items[].flags.w20')
    expect(mappedExpectations('country-list').v1Path(at('[]', 'missing'))).toBe('items[]')
    expect(mappedExpectations('invoice-list').v1Path(at('data', 'missing'))).toBe('items')
    expect(mappedExpectations('city-list').v1Path(at('[].tags[]', 'missing'))).toBe('items[].tags[]')
  })

  it('is null for a status', () => {
    expect(v1Of('country-list', '', 'status')).toBeNull()
  })

  it('is that of the error body for an error', () => {
    expect(v1Of('invoice-list', 'message', 'error')).toBe('message')
    expect(v1Of('document', 'createdAt', 'error')).toBe('createdAt')
    expect(v1Of('invoice-list', 'violations[].propertyPath', 'error')).toBe('errors[].path')
    expect(v1Of('invoice-list', 'violations[]', 'error')).toBe('errors[]')
    expect(v1Of('invoice-list', 'violations', 'error')).toBe('errors')
    expect(v1Of('invoice-list', 'params.options[]', 'error')).toBe('params.options[]')
    expect(v1Of('invoice-list', '', 'error')).toBe('')
  })

  it('follows the contract’s envelope if no line names one', () => {
    const v1 = (path: string) => expectationsFrom([]).v1Path(at(path))
    expect(['[].x', 'data[].x', 'x', '', '[]'].map(v1)).toEqual(['items[].x', 'items[].x', 'data.x', 'data', 'items[]'])
  })
})

describe('the line of a difference', () => {
  const lines = [
    line('', 'data', { change: 'envelope' }),
    assumed('', 'data', { change: 'passed on' }),
    line('id', 'data.id'),
    assumed('rows', 'data.rows'),
    line('rows[].id', 'data.rows[].id'),
    line('tags', 'data.tags'),
    assumed('rate.selling', 'data.rates.selling'),
    line('rate.buying', 'data.rates.buying'),
    line('204', '200', { change: 'status' }),
    line('id', '{id}', { part: 'request' }),
    line(null, 'data.more', { change: 'added in v1' }),
  ]
  const lineAt = (path: string, part: Where['part'] = 'answer') =>
    expectationsFrom(lines).line(at(path, 'changed', part))

  it.each([
    ['id', 2],
    ['tags[]', 5],
    ['rows', 3],
    ['rows[].id', 4],
    // Not listed: neither its list nor its neighbour says anything about it.
    ['rows[].other', 1],
    ['other.x', 1],
    ['', 0],
    // Two fields are listed within it.
    ['rate', 6],
  ])('at %j', (path, expected) => {
    expect(lineAt(path)).toBe(lines[expected])
  })

  it('is null if no line covers the place', () => {
    expect(lineAt('', 'status')).toBeNull()
    expect(lineAt('204', 'error')).toBeNull()
    expect(expectationsFrom([]).line(at('id'))).toBeNull()
  })
})

describe('an ignored difference', () => {
  it('is a declared loss, with its reason, and what is beneath it', () => {
    const { ignored } = expectationsFrom([
      lost('orderData', 'v1 does not return it'),
      line('id', 'data.id'),
      lost('x.y', 'gone'),
    ])
    for (const kind of ['type', 'changed', 'missing', 'extra'] as const) {
      expect(ignored(at('orderData', kind))).toBe('loss: v1 does not return it')
    }
    expect(ignored(at('orderData.x'))).toBe('loss: v1 does not return it')
    expect(ignored(at('orderDatas'))).toBeNull()
    expect(ignored(at('id'))).toBeNull()
    expect(ignored(at('x', 'missing'))).toBeNull()
    expect(ignored(at('orderData', 'changed', 'error'))).toBeNull()
  })

  it.each(['freightPrice', 'peakPrice', 'remoteAreaPrice', 'taxNumber', 'orderData'])('of a document: %s', (path) => {
    expect(mappedExpectations('document').ignored(at(path, 'type'))).toBe('loss: v1 does not return it')
  })

  it('is covered by a rule: at its path or beneath it', () => {
    const { ignored } = expectationsFrom([], [{ operation: 'made-up', path: '[].rate', why: 'rates move' }])
    for (const path of ['[].rate', '[].rate.x', '[].rate[]', '[].rate["a.b"]']) {
      expect(ignored(at(path))).toBe('rule: rates move')
    }
    for (const path of ['[].rates', '[]', '', 'rate']) expect(ignored(at(path))).toBeNull()
  })

  it('is covered by a rule of its operation, or of all operations', () => {
    const rules = [
      { operation: 'other', path: 'a', why: 'not ours' },
      { operation: '*', path: 'b', why: 'everywhere' },
      { operation: '*', path: 'b', why: 'second' },
    ]
    const { ignored } = expectationsFrom([], rules)
    expect(ignored(at('a'))).toBeNull()
    expect(ignored(at('b', 'missing'))).toBe('rule: everywhere')
    expect(mappedExpectations('city-list', rules).ignored(at('b'))).toBe('rule: everywhere')
  })

  it('is a status or a failure only if a rule names its kind', () => {
    const rules = [
      { operation: '*', path: '', kind: 'status', why: 'known' },
      { operation: '*', path: 'a', why: 'moves' },
      { operation: '*', path: 'b', kind: 'missing', why: 'left out' },
    ] as const
    const { ignored } = expectationsFrom([], rules)
    expect(ignored(at('', 'status', 'status'))).toBe('rule: known')
    expect(ignored(at('', 'failure', 'status'))).toBeNull()
    expect(ignored(at('a.x'))).toBe('rule: moves')
    expect(ignored(at('b', 'missing'))).toBe('rule: left out')
    expect(ignored(at('b', 'changed'))).toBeNull()
    expect(ignored(at('', 'changed'))).toBeNull()
  })

  it('is the wording of errors', () => {
    const { ignored } = expectationsFrom([])
    expect(ignored(at('message', 'changed', 'error'))).toBe('wording')
    expect(ignored(at('violations[].message', 'changed', 'error'))).toBe('wording')
  })

  it('is not a missing wording, nor the wording of anything else', () => {
    const { ignored } = expectationsFrom([])
    for (const kind of ['missing', 'extra', 'type'] as const) {
      expect(ignored(at('message', kind, 'error'))).toBeNull()
      expect(ignored(at('violations[].message', kind, 'error'))).toBeNull()
    }
    expect(ignored(at('message', 'changed', 'answer'))).toBeNull()
    expect(ignored(at('violations[].propertyPath', 'changed', 'error'))).toBeNull()
    expect(ignored(at('params.message', 'changed', 'error'))).toBeNull()
  })
})
