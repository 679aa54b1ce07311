import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { brokenIn, brokenLinks, commentsOf, headingsOf, onOneLine, sectionsOf } from './support/references.ts'

/** The most words of a record. */
const MOST_WORDS = 550

const documents = globSync(['*.md', 'docs/**/*.md', 'mappings/*.md', 'test/**/*.md'])
const programs = globSync('{src,test,mappings}/**/*.{ts,js}').filter((file) => file !== 'test/docs.test.ts')

test('documents link only to what is there', () => {
  expect(documents.length).toBeGreaterThan(60)
  expect(documents.flatMap((file) => brokenLinks(file).map((link) => ({ file, link })))).toEqual([])
})

test('documents name only sections and records that are there', () => {
  const broken = documents.flatMap((file) =>
    brokenIn(onOneLine(readFileSync(file, 'utf8'))).map((reference) => ({ file, reference })),
  )
  expect(broken).toEqual([])
})

test('comments name only sections and records that are there', () => {
  expect(programs.length).toBeGreaterThan(500)
  const broken = programs.flatMap((file) =>
    brokenIn(commentsOf(readFileSync(file, 'utf8'))).map((reference) => ({ file, reference })),
  )
  expect(broken).toEqual([])
})

test('comments cite the contract and the decisions in the one form', () => {
  const cited = programs.filter((file) =>
    /\b[Cc]ontract, [A-Z]|\bDESIGN\b|general change \d/i.test(commentsOf(readFileSync(file, 'utf8'))),
  )
  expect(cited).toEqual([])
})

test('the sections of the contract are numbered in order, so that each number means one of them', () => {
  const numbers = [...sectionsOf('docs/contract.md')]
  const all = headingsOf('docs/contract.md').filter((heading) => /^\d/.test(heading))
  expect(numbers).toHaveLength(all.length)
  let [chapter, section] = [0, 0]
  for (const number of numbers) {
    if (number.includes('.')) section++
    else [chapter, section] = [chapter + 1, 0]
    expect(number).toBe(section === 0 ? `${chapter}` : `${chapter}.${section}`)
  }
})

describe('docs/decisions/README.md', () => {
  const records = globSync('docs/decisions/0*.md').sort()

  test('lists every record under its title', () => {
    const listed = readFileSync('docs/decisions/README.md', 'utf8').match(/^- \[\d{4}\]\(.*$/gm)
    const titled = records.map((file) => {
      const name = basename(file)
      return `- [${name.slice(0, 4)}](${name}) ${headingsOf(file)[0]?.slice(5)}`
    })
    expect(listed).toEqual(titled)
  })

  test(`every record has a context, a decision and consequences, in at most ${MOST_WORDS} words`, () => {
    expect(records.length).toBeGreaterThan(30)
    for (const file of records) {
      const [title, ...others] = headingsOf(file)
      expect(title, file).toMatch(/^\d{4} ./)
      expect(others, file).toEqual(['Context', 'Decision', 'Consequences'])
      expect(readFileSync(file, 'utf8').trim().split(/\s+/).length, file).toBeLessThanOrEqual(MOST_WORDS)
    }
  })
})

describe('what is not there is noticed', () => {
  test.each([
    ['a section', 'says docs/contract.md 9.9.', ['docs/contract.md 9.9']],
    ['one of several sections', 'see docs/contract.md 4.2, 4.99 and 9', ['docs/contract.md 4.99']],
    ['a record', 'see docs/decisions/9999', ['docs/decisions/9999']],
    ['a heading', 'README.md "There is none"', ['README.md "There is none"']],
  ])('%s', (_, text, broken) => {
    expect(brokenIn(text)).toEqual(broken)
  })

  test('a link, and an anchor', () => {
    const text = '[a](nowhere.md) [b](#nowhere) [c](docs/contract.md#nowhere) [d](docs/contract.md#1-the-service)'
    expect(brokenLinks('README.md', text)).toEqual(['nowhere.md', '#nowhere', 'docs/contract.md#nowhere'])
  })

  test('in a comment over several lines, and not in the program', () => {
    const program =
      "/**\n * Says docs/contract.md\n * 9.9.\n */\nconst path = 'docs/decisions/9998' // see docs/decisions/9999\n"
    expect(brokenIn(commentsOf(program))).toEqual(['docs/decisions/9999', 'docs/contract.md 9.9'])
  })

  test('what is there is not', () => {
    const text = 'docs/contract.md 4.2 and 13, docs/decisions/0001'
    expect(brokenIn(`${text}, docs/decisions/README.md "Decisions"`)).toEqual([])
  })
})
