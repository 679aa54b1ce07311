import { describe, expect, it } from 'vitest'
import { diff } from '../../../src/control-plane/evidence/diff/diff.ts'
import { answer, compare, differences, shown } from './support/differing.ts'

describe('a different status', () => {
  it('is the only difference: bodies are not compared', () => {
    expect(diff(answer('{"a":1}', 400), answer('[2', 406))).toEqual({
      differences: [
        { part: 'status', kind: 'status', path: '', count: 1, details: { '400 → 406': 1 }, standing: 'counts' },
      ],
      examples: [{ kind: 'status', path: '', control: 400, candidate: 406 }],
    })
  })
})

describe('bodies that are not JSON', () => {
  const bytes = (control: string | Uint8Array, candidate: string | Uint8Array) =>
    shown(diff(answer(control), answer(candidate)))

  it('are compared as bytes', () => {
    expect(bytes('OK', 'OK')).toEqual([])
    expect(bytes('OK', 'OK ')).toEqual(['changed ""'])
    expect(bytes(Uint8Array.of(0, 255), Uint8Array.of(0, 255))).toEqual([])
    expect(bytes(Uint8Array.of(0, 255), Uint8Array.of(0, 254))).toEqual(['changed ""'])
  })

  it('differ from bodies that are JSON', () => {
    expect(bytes('{}', '<html>')).toEqual(['changed ""'])
    expect(bytes('<html>', '{}')).toEqual(['changed ""'])
    expect(bytes('', '{}')).toEqual(['changed ""'])
    expect(bytes('{}', '\ufeff{}')).toEqual(['changed ""'])
  })

  it('are equal when both are empty', () => {
    expect(bytes('', '')).toEqual([])
    expect(shown(diff(answer('', 204), answer('', 204)))).toEqual([])
    expect(shown(diff(answer('', 404), answer('', 404)))).toEqual([])
  })

  it('have no examples, because they cannot be redacted', () => {
    expect(diff(answer('secret'), answer('secret!')).examples).toEqual([
      { kind: 'changed', path: '', control: undefined, candidate: undefined },
    ])
  })

  it('include JSON that is nested too deep to compare', () => {
    const deep = (depth: number, space = '') => '['.repeat(depth) + space + ']'.repeat(depth)
    expect(bytes(deep(100_000), deep(100_000))).toEqual([])
    expect(bytes(deep(100_000), deep(100_000, ' '))).toEqual(['changed ""'])
    expect(bytes(deep(500), deep(500, ' '))).toEqual([])
    expect(bytes(deep(501), deep(501, ' '))).toEqual(['changed ""'])
  })
})

describe('members', () => {
  it('are equal regardless of order and white space', () => {
    expect(differences('{"a":1,"b":{"c":[true,null]}}', ' { "b" : {"c":[true , null]},\n"a":1 } ')).toEqual([])
  })

  it('are missing if only the control has them, and extra if only the candidate does', () => {
    expect(differences({ a: 1, b: null }, { a: 1 })).toEqual(['missing b'])
    expect(differences({ a: 1 }, { a: 1, b: null })).toEqual(['extra b'])
    expect(differences({ x: { a: 1 } }, { x: { b: 1 } })).toEqual(['missing x.a', 'extra x.b'])
  })

  it('differ in type if their JSON types differ; null is a type', () => {
    const values = { null: null, boolean: false, number: 0, string: '', array: [], object: {} }
    for (const [was, control] of Object.entries(values)) {
      for (const [is, candidate] of Object.entries(values)) {
        const expected = was === is ? [] : [`type x {"${was} → ${is}":1}`]
        expect(differences({ x: control }, { x: candidate })).toEqual(expected)
      }
    }
  })

  it('are changed if they have the same type and other values', () => {
    expect(differences({ a: 'x', b: 1, c: true }, { a: 'y', b: 2, c: false })).toEqual([
      'changed a',
      'changed b',
      'changed c',
    ])
    expect(differences('{"a":"\\u0041"}', '{"a":"A"}')).toEqual([])
  })

  it('differ in type if equal numbers have different forms', () => {
    expect(differences('{"a":1,"b":100.00,"c":[0,-0.0,1e400]}', '{"a":1.0,"b":100,"c":[0e0,0,1e400]}')).toEqual([
      'type a {"integer → decimal":1}',
      'type b {"decimal → integer":1}',
      'type c[] ×2 {"integer → decimal":1,"decimal → integer":1}',
    ])
    expect(differences('{"a":9007199254740993}', '{"a":9007199254740993.0}')).toEqual([
      'type a {"integer → decimal":1}',
    ])
    expect(differences('{"a":1}', '{"a":1.5}')).toEqual(['changed a'])
    expect(differences('[1,2]', '[2.0,1]')).toEqual(['order ""', 'type [] {"integer → decimal":1}'])
  })

  it('have the right number form even if a name is repeated or has escapes', () => {
    expect(differences('{"a":1,"\\u0061b":{"x":1}}', '{"a":1.0,"a":1,"ab":{"x":1.0}}')).toEqual([
      'type ab.x {"integer → decimal":1}',
    ])
    expect(differences('{"a":"1"}', '{"a":1.0,"a":"1"}')).toEqual([])
    expect(differences('{"a":[1]}', '{"a":[1.0,2.0,3],"a":[1]}')).toEqual([])
  })

  it('are compared by decimal value if they are numbers', () => {
    expect(differences('{"a":12.30,"b":1e2,"c":-0}', '{"a":12.3,"b":100.00,"c":0}')).toEqual([])
    expect(differences('{"a":9007199254740993}', '{"a":9007199254740992}')).toEqual(['changed a'])
    expect(differences('{"a":1e400}', '{"a":1e401}')).toEqual(['changed a'])
    expect(differences('{"a":1e400}', '{"a":1}')).toEqual(['changed a'])
    expect(differences('{"a":1e400}', '{"a":"1e400"}')).toEqual(['type a {"number → string":1}'])
    expect(differences('{"a":1e400}', '{"a":{}}')).toEqual(['type a {"number → object":1}'])
  })

  it('have an unambiguous path, regardless of their name', () => {
    expect(differences({ 'a.b': 1, a: { b: 1 } }, { 'a.b': 2, a: { b: 2 } })).toEqual([
      'changed ["a.b"]',
      'changed a.b',
    ])
    expect(differences({ x: { '[]': 1, '': 1 } }, { x: { '[]': 2, '': 2 } })).toEqual([
      'changed x["[]"]',
      'changed x[""]',
    ])
  })

  it('may be called __proto__', () => {
    expect(differences('{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}')).toEqual(['changed __proto__.a'])
    expect(differences('{"__proto__":1}', '{}')).toEqual(['missing __proto__'])
    expect(differences('{}', '{"toString":1}')).toEqual(['extra toString'])
  })
})

describe('the root', () => {
  it('has the path ""', () => {
    expect(differences('1', '"1"')).toEqual(['type "" {"number → string":1}'])
    expect(differences('1', '2')).toEqual(['changed ""'])
    expect(differences([1, 2], [1])).toEqual(['length "" {"2 → 1":1}'])
    expect(differences([1, 2], [2, 1])).toEqual(['order ""'])
  })
})

describe('differences', () => {
  it('of the same kind and path are one, with the number of places and of each detail', () => {
    const rows = [{ rate: 'x' }, { rate: 'x' }, { rate: 1 }, { rate: 1 }]
    const others = [{ rate: null }, { rate: null }, { rate: null }, { rate: 2 }]
    expect(differences(rows, others)).toEqual([
      'type [].rate ×3 {"string → null":2,"number → null":1}',
      'changed [].rate',
    ])
  })

  it('have the values of the first place as an example, apart from the counts', () => {
    const { differences, examples } = compare([{ a: 1 }, { a: 2, b: { c: 3 } }], [{ a: 5 }, { a: 6 }])
    expect(differences.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['changed [].a', 'missing [].b'])
    expect(examples).toEqual([
      { kind: 'changed', path: '[].a', control: 1, candidate: 5 },
      { kind: 'missing', path: '[].b', control: { c: 3 }, candidate: undefined },
    ])
    expect(JSON.stringify(differences)).not.toMatch(/[356]/)
  })
})
