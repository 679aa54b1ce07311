import { describe, expect, it } from 'vitest'
import { compare, differences } from './support/differing.ts'

const item = (id: unknown, v: unknown = 1) => ({ id, v })

describe('items with a distinct id each', () => {
  it('are paired by id; another order is one difference, and the pairs are compared', () => {
    expect(differences({ data: [item(1), item(2), item(3)] }, { data: [item(3), item(1), item(2)] })).toEqual([
      'order data',
    ])
    expect(differences([item(1, 'a'), item(2, 'b')], [item(2, 'b'), item(1, 'c')])).toEqual([
      'changed [].v',
      'order ""',
    ])
  })

  it('are paired by the decimal value of the id', () => {
    expect(differences('[{"id":1.0},{"id":2}]', '[{"id":1},{"id":2e0}]')).toEqual([
      'type [].id ×2 {"decimal → integer":1,"integer → decimal":1}',
    ])
    expect(
      differences(
        '[{"id":9007199254740993},{"id":9007199254740992}]',
        '[{"id":9007199254740992},{"id":9007199254740993}]',
      ),
    ).toEqual(['order ""'])
  })

  it('are paired by ids that do not fit into a double', () => {
    const rows = (...rows: readonly (readonly [string, number])[]) =>
      `[${rows.map(([id, v]) => `{"id":${id},"v":${v}}`).join()}]`
    const [one, other] = ['9007199254740993', '9007199254740992']
    expect(differences(rows([one, 1], [other, 2]), rows([other, 2], [one, 3]))).toEqual(['changed [].v', 'order ""'])
  })

  it('may have strings as ids', () => {
    expect(differences([item('a'), item('b')], [item('b'), item('a', 2)])).toEqual(['changed [].v', 'order ""'])
  })

  it('are paired even if one side writes the ids as strings', () => {
    expect(differences([item(1, 'a'), item(2, 'b')], [item('1', 'a'), item('2', 'c')])).toEqual([
      'type [].id ×2 {"number → string":2}',
      'changed [].v',
    ])
  })

  it('differ once, in length, if one side has fewer; those on both sides are compared', () => {
    expect(differences({ data: [item(1), item(2), item(3)] }, { data: [item(3), item(1, 9)] })).toEqual([
      'length data {"3 → 2":1}',
      'changed data[].v',
    ])
    expect(differences([item(1)], [])).toEqual(['length "" {"1 → 0":1}'])
    expect(differences([], [item(1), item(2)])).toEqual(['length "" {"0 → 2":1}'])
  })

  it('are missing or extra if both sides have the same number, but not the same items', () => {
    expect(differences({ data: [item(1), item(2, 'b')] }, { data: [item(3, 'c'), item(1)] })).toEqual([
      'missing data[]',
      'extra data[]',
    ])
    expect(differences([item(1), item(2, 'b')], [item(1), item(3, 'c')])).toEqual(['missing []', 'extra []'])
  })

  it('differ in their id if nothing else differs', () => {
    expect(differences({ data: [item(1), item(2)] }, { data: [item(1), item(7)] })).toEqual(['changed data[].id'])
    expect(differences([item(1), item(2)], [item('A1'), item('A2')])).toEqual(['type [].id ×2 {"number → string":2}'])
  })
})

describe('items without a distinct id each', () => {
  it.each([
    ['no id', [{ v: 1 }, { v: 2 }], [{ v: 1 }, { v: 3 }]],
    ['the same id', [item(1, 1), item(1, 2)], [item(1, 1), item(1, 3)]],
    ['an id that is neither a number nor a string', [item(null, 1), item(2, 2)], [item(null, 1), item(2, 3)]],
    ['an id on one side only', [item(1, 1), item(2, 2)], [{ v: 1 }, { v: 3 }]],
    ['an id, but one is not an object', ['x', item(2, 2)], ['x', item(2, 3)]],
  ])('are paired by position: %s', (_, control, candidate) => {
    expect(differences(control, candidate)).toContain('changed [].v')
  })

  it('show a missing id if only the control has ids', () => {
    expect(differences([item(1), item(2)], [{ v: 1 }, { v: 1 }])).toEqual(['missing [].id ×2'])
  })

  it('are not compared if one side has fewer', () => {
    expect(differences({ tags: ['a', 'b', 'c'] }, { tags: ['x'] })).toEqual(['length tags {"3 → 1":1}'])
    expect(differences([{ v: 1 }], [{ v: 2 }, { w: 3 }])).toEqual(['length "" {"1 → 2":1}'])
    expect(differences([{ v: 1 }], [])).toEqual(['length "" {"1 → 0":1}'])
  })

  it('are one difference if only their order differs', () => {
    expect(differences({ tags: ['a', 'b', 'c'] }, { tags: ['c', 'a', 'b'] })).toEqual(['order tags'])
    expect(differences('[{"v":1,"w":[1]},{"v":2.50}]', '[{"v":2.5},{"w":[1],"v":1}]')).toEqual(['order ""'])
    expect(differences([[1], [2]], [[2], [1]])).toEqual(['order ""'])
    expect(differences([1, 1, 2], [1, 2, 1])).toEqual(['order ""'])
  })

  it('are changed if more than their order differs', () => {
    expect(differences(['a', 'b', 'b'], ['b', 'a', 'a'])).toEqual(['changed [] ×3'])
    expect(differences([1, '1'], ['1', 2])).toEqual(['type [] ×2 {"number → string":1,"string → number":1}'])
  })

  it('may be arrays: the path has brackets for each level', () => {
    expect(differences({ m: [[1, 2], [3]] }, { m: [[1, 9], [3]] })).toEqual(['changed m[][]'])
    expect(differences({ m: [[1, 2], [3]] }, { m: [[1, 2], []] })).toEqual(['length m[] {"1 → 0":1}'])
  })
})

describe('violations of an error', () => {
  const violation = (propertyPath: string, message: string) => ({ propertyPath, message })

  it('are paired by path, regardless of wording and order', () => {
    const control = { message: 'No', violations: [violation('a', 'x'), violation('b', 'y')] }
    const candidate = { message: 'No', violations: [violation('b', 'v'), violation('a', 'w')] }
    expect(differences(control, candidate, 400)).toEqual(['order violations', 'changed violations[].message ×2'])
    expect(differences(control, candidate)).toEqual([
      'changed violations[].propertyPath ×2',
      'changed violations[].message ×2',
    ])
  })

  it('are paired by position if only their wording differs', () => {
    const control = { violations: [violation('a', 'x'), violation('a', 'y')] }
    expect(differences(control, { violations: [violation('a', 'y'), violation('a', 'x')] }, 400)).toEqual([
      'changed violations[].message ×2',
    ])
  })
})

describe('large answers', () => {
  it('are compared row by row', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, status: { id: 1, slug: 'NEW' } }))
    const changed = rows.map((row) => ({ ...row, status: { ...row.status, slug: 'OLD' } }))
    expect(differences({ data: rows }, { data: changed.toReversed() })).toEqual([
      'changed data[].status.slug ×5000',
      'order data',
    ])
    const { differences: none } = compare({ data: rows }, { data: rows })
    expect(none).toEqual([])
  })
})
