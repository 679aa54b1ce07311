import { describe, expect, it } from 'vitest'
import { JsonError } from '../../src/engine/json/scan-json.ts'
import { deepTexts, oddTexts } from './support/odd-texts.ts'
import { errorPosition, isJson } from './support/scanned.ts'

const disagree = (text: string): boolean => (errorPosition(text) === undefined) !== isJson(text)

describe('the scanner accepts exactly what JSON.parse accepts', () => {
  it('of many texts of both kinds', () => {
    expect(oddTexts.length).toBeGreaterThan(250)
    expect(oddTexts.filter(isJson).length).toBeGreaterThan(60)
    expect(oddTexts.filter((text) => !isJson(text)).length).toBeGreaterThan(150)
  })

  it('of texts alone', () => {
    expect(oddTexts.filter(disagree)).toEqual([])
  })

  it('of texts inside an object and an array', () => {
    expect(oddTexts.map((text) => `{"a":[0, ${text} ]}`).filter(disagree)).toEqual([])
  })

  it('of texts that are deeper than any call stack', () => {
    const wrong = deepTexts.filter(([, text]) => disagree(text)).map(([name]) => name)
    expect(wrong).toEqual([])
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

it('a part of a larger buffer is scanned alone', () => {
  const large = Buffer.from('xx{"a":[1,2]}yy')
  expect(errorPosition(large.subarray(2, -2))).toBeUndefined()
  expect(errorPosition(large.subarray(2, -3))).toBe(10)
})
