import { globSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { variableRows } from './support/variable-tables.ts'

const MOST_WORDS = 1_500

const readme = readFileSync('README.md', 'utf8')
const sectionOf = (heading: string): string =>
  readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''

describe('the README', () => {
  it(`has at most ${MOST_WORDS} words, those of commands and answers included`, () => {
    expect(readme.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(MOST_WORDS)
  })

  it('shows a picture of the dashboard of at most 200 KB', () => {
    const [, picture = ''] = /!\[.+\]\((.+\.png)\)/.exec(readme) ?? []
    expect(statSync(picture).size).toBeLessThanOrEqual(200_000)
  })

  it('leads to docs/README.md, which lists every page of docs once', () => {
    expect(sectionOf('Where to read on')).toContain('](docs/README.md)')
    const pages = [...globSync('*.md', { cwd: 'docs' }), 'decisions/README.md'].filter((page) => page !== 'README.md')
    const [, list = ''] = readFileSync('docs/README.md', 'utf8').split('\n## All documents\n')
    const linked = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, page]) => page)
    expect(linked.sort()).toEqual(pages.sort())
  })

  it('says of the first variables what docs/configuration.md says of them', () => {
    const all = variableRows(readFileSync('docs/configuration.md', 'utf8'))
    const first = variableRows(sectionOf('Configuration'))
    expect(first.length).toBeGreaterThanOrEqual(8)
    expect(all).toEqual(expect.arrayContaining([...first]))
  })
})
