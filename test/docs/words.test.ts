import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { WORDS, type Word } from '../../src/control-plane/admin/dashboard/words-page.ts'

/** What the meaning of a word has in common, word for word, with the document that tells it too. The page alone defines the others. */
const DEFINED: Readonly<Partial<Record<Word, readonly [document: string, phrase: string]>>> = {
  checked: ['comparing', 'they prove nothing about v1'],
  drift: ['evidence', 'the data changed between two answers'],
  ignored: ['evidence', 'a declared loss or widening'],
  'match rate': ['replay', 'successes with content'],
  'not judged': ['evidence', 'more than 1 % of them keep the verdict open'],
  proven: ['evidence', 'with 95 % confidence, at least 99 % of units like those compared match'],
  'round trip': ['comparing', 'translates legacy’s answer to v1’s shape and back. the result must be the same'],
  skipped: ['comparing', 'writes, unless a copy gets them'],
  unexcused: ['comparing', 'the match rate if nothing were excused'],
  unit: ['evidence', 'one client’s equal calls within an hour'],
}

/** The text without its formats, so that only words are compared. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll("'", '’')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

it.each(Object.entries(DEFINED))('the word %s means on the pages what the documents say', (word, [name, phrase]) => {
  expect(plain(WORDS[word as Word])).toContain(phrase)
  expect(plain(readFileSync(`docs/${name}.md`, 'utf8'))).toContain(phrase)
})

it('the glossary of the architecture defines no word that the pages define', () => {
  const architecture = readFileSync('docs/architecture.md', 'utf8')
  const glossary = architecture.slice(architecture.indexOf('| Term | Meaning |'))
  const terms = Array.from(glossary.matchAll(/^\| ([^|]+) \|/gm), ([, cell = '']) => cell.split(', ')).flat()
  expect(terms).toContain('operation')
  expect(terms.filter((term) => Object.hasOwn(WORDS, term))).toEqual([])
})
