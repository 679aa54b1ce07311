import { describe, expect, test } from 'vitest'
import { editAt, gone, memberPath, readPath } from '../../../src/sandbox/faults/member-path.ts'

const body = { data: [{ id: 1, price: { try: 2 } }, { id: 3 }], 'odd name': [[1, 2], [3]], '': 0, n: null }

describe('a path leads to', () => {
  test('members and items', () => {
    for (const [path, changed] of [
      ['data[].id', { data: [{ id: 'x', price: { try: 2 } }, { id: 'x' }] }],
      ['data[0].price.try', { data: [{ id: 1, price: { try: 'x' } }, { id: 3 }] }],
      ['data[].price.try', { data: [{ id: 1, price: { try: 'x' } }, { id: 3 }] }],
      ['data[1]', { data: [{ id: 1, price: { try: 2 } }, 'x'] }],
      ['data', { data: 'x' }],
      ['odd name[][0]', { 'odd name': [['x', 2], ['x']] }],
      ['n', { n: 'x' }],
    ] as const) {
      expect(memberPath().parse(path)).toBe(path)
      const before = structuredClone(body)
      expect(editAt(body, readPath(path), () => 'x')).toEqual({ ...body, ...changed })
      expect(body).toEqual(before)
    }
  })

  test('items of a root array', () => {
    expect(editAt([{ a: 1 }, { a: 2 }], readPath('[].a'), () => 0)).toEqual([{ a: 0 }, { a: 0 }])
    expect(editAt([1, 2, 3], readPath('[1]'), () => gone)).toEqual([1, 3])
    expect(editAt([1, 2, 3], readPath('[]'), () => gone)).toEqual([])
  })
})

test('a removed value leaves no member behind', () => {
  const edited = editAt(body, readPath('data[].price'), () => gone)
  expect(edited).toEqual({ ...body, data: [{ id: 1 }, { id: 3 }] })
  expect(JSON.stringify(edited)).not.toContain('price')
})

test('a path that leads nowhere changes nothing', () => {
  for (const path of ['nowhere', 'data.id', 'data[7].id', 'data[].id.more', 'n.x', '[]', '[0].data']) {
    expect(
      editAt(body, readPath(path), () => 'x'),
      path,
    ).toEqual(body)
  }
})

test('some texts are not a path', () => {
  const texts = ['', '.', 'a.', '.a', 'a..b', 'a[', 'a]', 'a[x]', 'a[-1]', 'a[].', '[]a', 'x'.repeat(501)]
  expect(texts.filter((text) => memberPath().safeParse(text).success)).toEqual([])
})
