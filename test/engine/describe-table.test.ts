import { describe, expect, it } from 'vitest'
import { cell, code, table } from '../../src/guide/markdown.ts'

describe('Markdown', () => {
  it('escapes text that would read as a table, as HTML or as another line', () => {
    expect(cell('a | b <i>&amp;</i>\n  c')).toBe('a \\| b &lt;i>&amp;amp;&lt;/i> c')
  })

  it('keeps code unchanged, even backticks and bars', () => {
    expect(code('data[].id')).toBe('`data[].id`')
    expect(code('a`b')).toBe('``a`b``')
    expect(code('a|b')).toBe('`a\\|b`')
  })

  it('has a table if there are rows', () => {
    expect(table(['A', 'B'], [['1', '2']])).toEqual(['| A | B |\n| --- | --- |\n| 1 | 2 |'])
    expect(table(['A', 'B'], [])).toEqual([])
  })
})
