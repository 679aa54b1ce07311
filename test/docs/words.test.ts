import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { WORDS, type Word } from '../../src/control-plane/admin/dashboard/words-page.ts'

/** What the meaning of each word has in common, word for word, with the document that defines it. */
const DEFINED: Readonly<Record<Word, readonly [document: string, phrase: string]>> = {
  assumption: ['architecture', 'a decision of a mapping where the contract is silent. answers confirm or refute it'],
  brake: ['architecture', 'returns all clients of an operation to legacy at once, and stops its plan'],
  candidate: ['architecture', 'made from v1’s'],
  checked: ['comparing', 'they prove nothing about v1'],
  control: ['architecture', 'the legacy answer in a comparison'],
  coverage: ['architecture', 'the share of the lines to be seen that compared exchanges have shown'],
  'declared loss': ['architecture', 'a member that v1 cannot give back'],
  difference: ['architecture', 'a place where control and candidate differ'],
  drift: ['evidence', 'the data changed between two answers'],
  ignored: ['evidence', 'a declared loss or widening'],
  lineage: ['architecture', 'the mapping and releases that results belong to'],
  'match rate': ['replay', 'successes with content'],
  'not judged': ['evidence', 'more than 1 % of them keep the verdict open'],
  place: ['architecture', 'legacy path'],
  proposal: ['architecture', 'would explain differences'],
  proven: ['evidence', 'with 95 % confidence, at least 99 % of units like those compared match'],
  'round trip': ['comparing', 'translates legacy’s answer to v1’s shape and back. the result must be the same'],
  shadow: ['architecture', 'compare after a live call'],
  skipped: ['comparing', 'writes, unless a copy gets them'],
  support: ['architecture', 'the only one left'],
  unexcused: ['comparing', 'the match rate if nothing were excused'],
  unit: ['evidence', 'one client’s equal calls within an hour'],
  widening: ['architecture', 'a parameter by which v1 finds more'],
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
