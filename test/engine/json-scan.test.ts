import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError, skipValue } from '../../src/engine/json/json-scan.ts'
import { endOfText, startOfText } from '../../src/engine/json/json-walk.ts'
import { anyCharacter } from '../support/any-character.ts'
import { deepTexts, oddTexts } from './support/odd-texts.ts'

/** The position at which the scanner refuses the text; undefined when it accepts it. */
function errorPosition(text: string | Uint8Array): number | undefined {
  const json = Buffer.from(text)
  try {
    endOfText(json, skipValue(json, startOfText(json)))
    return undefined
  } catch (error) {
    if (error instanceof JsonError) return error.position
    throw error
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('the scanner accepts exactly what JSON.parse accepts', () => {
  it('has a large corpus with both kinds in it', () => {
    expect(oddTexts.length).toBeGreaterThan(250)
    expect(oddTexts.filter(isJson).length).toBeGreaterThan(60)
    expect(oddTexts.filter((text) => !isJson(text)).length).toBeGreaterThan(150)
  })

  it.each(oddTexts.map((text) => [JSON.stringify(text), text]))('%s', (_, text) => {
    expect(errorPosition(text) === undefined).toBe(isJson(text))
  })

  it.each(oddTexts.map((text) => [JSON.stringify(text), text]))('%s inside an object and an array', (_, text) => {
    const nested = `{"a":[0, ${text} ]}`
    expect(errorPosition(nested) === undefined).toBe(isJson(nested))
  })

  it.each(deepTexts)('100,000 levels: %s', (_, text) => {
    expect(errorPosition(text) === undefined).toBe(isJson(text))
  })

  it('a deep text does not affect the scan of the next', () => {
    for (const [, text] of deepTexts) errorPosition(text)
    expect(errorPosition('[{"a":[1]}]')).toBeUndefined()
    expect(errorPosition('[{"a":[1}]]')).toBe(8)
  })
})

describe('an error has the position of the first invalid byte', () => {
  it.each([
    ['', 0],
    ['   ', 3],
    ['x', 0],
    ['tru', 3],
    ['trux', 3],
    ['01', 1],
    ['-', 1],
    ['1.', 2],
    ['1e+', 3],
    ['1 2', 2],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['[1,,2]', 3],
    ['[1', 2],
    ['{"a":[1}', 7],
    ['"a\nb"', 2],
    ['"abc', 4],
    ['"a\\x"', 2],
    ['"\\u00g0"', 5],
    ['"é" x', 5],
    ['\ufeff{}', 0],
  ])('%j: %i', (text, position) => {
    expect(errorPosition(text)).toBe(position)
  })

  it('states it in its message', () => {
    expect(new JsonError(12).message).toBe('not JSON at byte 12')
  })
})

const validText = fc.oneof(
  fc.json(),
  fc.json({ stringUnit: 'binary' }),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 2)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `[${JSON.stringify(value)}, -0.0, 1E+2, 12e-5]`),
)
const intruder = fc.oneof(
  fc.constantFrom(...'{}[]:,"\\0123456789-+.eEtfnu /\t\n\u0000\u001f\ufeff\u00a0é'),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 2 }),
)

describe('for valid texts with changes', () => {
  it('the scanner agrees with JSON.parse, and no error is found before the change', () => {
    fc.assert(
      fc.property(validText, fc.nat(), fc.nat(2), intruder, (text, anywhere, removed, added) => {
        const at = anywhere % (text.length + 1)
        const changed = text.slice(0, at) + added + text.slice(at + removed)
        const position = errorPosition(changed)
        expect(position === undefined).toBe(isJson(changed))
        if (position === undefined) return
        // A backslash is invalid together with what follows it.
        const start = Buffer.byteLength(text.slice(0, at).toWellFormed())
        expect(position).toBeGreaterThanOrEqual(text[at - 1] === '\\' ? start - 1 : start)
        expect(position).toBeLessThanOrEqual(Buffer.byteLength(changed))
      }),
      { numRuns: 3_000 },
    )
  })

  it('a text that was cut short is invalid at its end', () => {
    fc.assert(
      fc.property(validText, fc.nat(), (text, anywhere) => {
        const cut = text
          .toWellFormed()
          .slice(0, anywhere % text.length)
          .toWellFormed()
        const position = errorPosition(cut)
        expect(position === undefined).toBe(isJson(cut))
        const end = Buffer.byteLength(cut)
        // An escape is invalid as a whole, from its backslash on.
        if (position !== undefined) expect(position).toBe(/(^|[^\\])(\\\\)*\\$/.test(cut) ? end - 1 : end)
      }),
      { numRuns: 1_000 },
    )
  })

  it('a part of a larger buffer is scanned alone', () => {
    const large = Buffer.from('xx{"a":[1,2]}yy')
    expect(errorPosition(large.subarray(2, -2))).toBeUndefined()
    expect(errorPosition(large.subarray(2, -3))).toBe(10)
  })
})
