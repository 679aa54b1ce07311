import { describe, expect, test } from 'vitest'
import { soundPart } from '../../src/sandbox/validation/sound-part.ts'

describe('the valid part of a body', () => {
  test.each([
    ['is all of it without faults', { a: [1] }, [], { a: [1] }],
    ['is nothing when the whole is at fault', { a: 1 }, [[]], undefined],
    ['leaves a member out', { a: 1, b: 2 }, [['a']], { b: 2 }],
    ['leaves a member of a member out', { a: { b: 1, c: 2 } }, [['a', 'b']], { a: { c: 2 } }],
    ['leaves a hole where an item was', { a: [1, 2, 3] }, [['a', 1]], { a: [1, undefined, 3] }],
    ['leaves out the whole when a part is at fault too', { a: { b: 1 } }, [['a', 'b'], ['a']], {}],
    ['is not confused by a fault beneath a plain value', { a: 1 }, [['a', 'b']], { a: 1 }],
    ['is not confused by a fault of a missing member', { a: 1 }, [['b']], { a: 1 }],
  ])('%s', (_, input, faults, expected) => {
    expect(soundPart(input, faults)).toEqual(expected)
  })

  test('has __proto__ as a member like any other', () => {
    const input = JSON.parse('{"__proto__":{"a":1},"b":2}')
    const sound = soundPart(input, [['b']]) as { a?: number }
    expect(sound.a).toBeUndefined()
    expect(Object.getPrototypeOf(sound)).toBe(Object.prototype)
  })
})
