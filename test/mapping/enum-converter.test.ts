import { describe, expect, it } from 'vitest'
import { convert, enumConverter } from '../../src/mapping/converter.ts'

const state = enumConverter({ open: 'PENDING', paid: 'SETTLED', void: 'void', größer: 'TALLER', 'a "b"': 'A_B' })
const toLegacy = (v1: string) => convert(state.toLegacy, v1)
const toV1 = (legacy: string) => convert(state.toV1, legacy)

describe('a value of an enum', () => {
  it.each([
    ['"open"', '"PENDING"'],
    ['"paid"', '"SETTLED"'],
    ['"void"', '"void"'],
    ['"größer"', '"TALLER"'],
    [JSON.stringify('a "b"'), '"A_B"'],
  ])('%s in legacy is %s in v1', (legacy, v1) => {
    expect(toLegacy(v1)).toBe(legacy)
    expect(toV1(legacy)).toBe(v1)
  })

  it('is found when it is written with escapes', () => {
    expect(toLegacy('"\\u0050ENDING"')).toBe('"open"')
    expect(toV1('"gr\\u00f6\\u00dfer"')).toBe('"TALLER"')
  })

  it.each(['"ON_HOLD"', '"pending"', '"PENDING "', '""', '"toString"', '"__proto__"', '"\\ud83d"', '1', 'true'])(
    'that is not listed passes unchanged: %s',
    (value) => {
      expect(toLegacy(value)).toBeUndefined()
      expect(toV1(value)).toBeUndefined()
    },
  )

  it('can have the name of another value on the other side', () => {
    const swapped = enumConverter({ a: 'b', b: 'a' })
    expect([swapped.toLegacy('"a"'), swapped.toLegacy('"b"')]).toEqual(['"b"', '"a"'])
  })
})
