import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sections } from './contract-sentences.ts'

const sentences = Object.values(sections).flat()

/** Whether the file has a test of this name within describes of those names, as they are written there. */
function isTest(reference: string): boolean {
  const [file = '', ...titles] = reference.split(' > ')
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  let from = 0
  for (const [depth, title] of titles.entries()) {
    const at = source.slice(from).search(callNamed(title, depth === titles.length - 1 ? 'test' : 'describe'))
    if (at === -1) return false
    from += at + 1
  }
  return titles.length > 0
}

/** `test('title',` or `test.each(…)('title',`, or a describe, with any of the three quotes. */
function callNamed(title: string, kind: 'test' | 'describe'): RegExp {
  const written = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Whatever a table of cases holds, no test or describe begins within it.
  const cases = String.raw`(?:\.each\((?:(?!\n\s*(?:test|describe)\b)[^])*?\))?`
  return new RegExp(String.raw`\b${kind}${cases}\(\s*(['"\`])${written}\1,`)
}

describe.each(Object.entries(sections))('the section %s of the contract', (_, rows) => {
  test.each(rows.filter(({ heldBy }) => heldBy.length > 0))('is held: $says', ({ heldBy }) => {
    expect(heldBy.filter((reference) => !isTest(reference))).toEqual([])
  })

  test('leaves without a test only what the contract does not show', () => {
    for (const { says, heldBy } of rows) expect(says.endsWith(': not shown.'), says).toBe(heldBy.length === 0)
  })
})

test('no sentence is there twice, and each is whole', () => {
  expect(new Set(sentences.map(({ says }) => says)).size).toBe(sentences.length)
  for (const { says } of sentences) expect(says).toMatch(/^(\| .* \||.*\.)$/)
})

test('a test that there is not is noticed', () => {
  expect(isTest('limits.test.ts > $path > begins at page 1')).toBe(true)
  expect(isTest('limits.test.ts > $path > begins at page 2')).toBe(false)
  expect(isTest('limits.test.ts > begins at page 1 > $path')).toBe(false)
  expect(isTest('limits.test.ts')).toBe(false)
})
