import { expect, test } from 'vitest'
import { soundPart } from '../../src/sandbox/validation/validate-request.ts'

test('the valid part of a body leaves out what is at fault, and no more', () => {
  for (const [input, faults, expected] of [
    [{ a: [1] }, [], { a: [1] }],
    [{ a: 1 }, [[]], undefined],
    [{ a: 1, b: 2 }, [['a']], { b: 2 }],
    [{ a: { b: 1, c: 2 } }, [['a', 'b']], { a: { c: 2 } }],
    [{ a: [1, 2, 3] }, [['a', 1]], { a: [1, undefined, 3] }],
    [{ a: { b: 1 } }, [['a', 'b'], ['a']], {}],
    [{ a: 1 }, [['a', 'b'], ['b']], { a: 1 }],
  ] as const) {
    expect(soundPart(input, faults)).toEqual(expected)
  }
  const sound = soundPart(JSON.parse('{"__proto__":{"a":1},"b":2}'), [['b']]) as { a?: number }
  expect(sound.a).toBeUndefined()
  expect(Object.getPrototypeOf(sound)).toBe(Object.prototype)
})
