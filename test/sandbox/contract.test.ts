import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sections } from './contract-sentences.ts'

/** Whether the file has a test of this title within describes of those titles, as written there. */
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
  // A table of cases may hold anything except the start of a test or describe.
  const cases = String.raw`(?:\.each\((?:(?!\n\s*(?:test|describe)\b)[^])*?\))?`
  return new RegExp(String.raw`\b${kind}${cases}\(\s*(['"\`])${written}\1,`)
}

/** The statements of a section of docs/contract.md: table rows, list items, and the sentences of all other text. */
function statementsOf(section: string): readonly string[] {
  const [, ...lines] = section.split('\n')
  const blocks = lines.join('\n').split(/\n(?:\n|(?=- ))/)
  return blocks.flatMap((block) => {
    const text = block.trim().replace(/^- /, '')
    if (text.startsWith('|')) return text.split('\n').slice(2)
    // A paragraph that ends in a colon introduces a table.
    const sentences = text.replaceAll(/\n\s*/g, ' ').split(/(?<=\.) (?=[A-Z`])/)
    return sentences.filter((sentence) => sentence.endsWith('.'))
  })
}

const contract = readFileSync('docs/contract.md', 'utf8')
  .split(/^#{2,3} (?=\d)/m)
  .map((section) => ({ number: section.slice(0, section.indexOf(' ')), says: statementsOf(section) }))

describe.each(Object.entries(sections))('docs/contract.md %s', (numbers, rows) => {
  test.each(rows)('is checked: $says', ({ heldBy }) => {
    expect(heldBy).not.toEqual([])
    expect(heldBy.filter((reference) => !isTest(reference))).toEqual([])
  })

  test('has exactly these sentences', () => {
    const says = numbers
      .split(', ')
      .flatMap((of) => contract.filter(({ number }) => number === of || number.startsWith(`${of}.`)))
      .flatMap((section) => section.says)
    expect(rows.map((row) => row.says).sort()).toEqual([...says].sort())
  })
})

test('no sentence is listed twice', () => {
  const sentences = Object.values(sections).flat()
  expect(new Set(sentences.map(({ says }) => says)).size).toBe(sentences.length)
})

test('a missing test is noticed', () => {
  expect(isTest('limits.test.ts > $path > starts at page 1')).toBe(true)
  expect(isTest('limits.test.ts > $path > starts at page 2')).toBe(false)
  expect(isTest('limits.test.ts > starts at page 1 > $path')).toBe(false)
  expect(isTest('limits.test.ts')).toBe(false)
})
