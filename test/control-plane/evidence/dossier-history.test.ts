import { describe, expect, it } from 'vitest'
import { historyOfCutover } from '../../../src/control-plane/evidence/dossier/dossier-html.ts'
import type { CutoverStep } from '../../../src/control-plane/evidence/tally/stored-results.ts'

const step = (changes: Partial<CutoverStep> = {}): CutoverStep => ({
  ...{ at: '2026-11-22T10:00:00.000Z', event: 'approval-wanted', operation: 'currency-list', by: 'auto' },
  ...{ from: 'running at 5 %', to: 'waiting for approval', why: 'ready' },
  ...changes,
})

const cellsOf = (steps: readonly CutoverStep[]): readonly string[] =>
  [...String(historyOfCutover(steps)).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell)

describe('the history of the cut-over in a dossier', () => {
  it('says when, for which operation, what happened, who decided and why', () => {
    expect(cellsOf([step()])).toEqual([
      '<time datetime="2026-11-22T10:00:00.000Z">2026-11-22 10:00:00 UTC</time>',
      ...['currency-list', 'approval wanted', 'running at 5 % → waiting for approval', 'the gateway', 'ready'],
    ])
    expect(cellsOf([step({ operation: '*', by: 'Ada <ada@example.com>', why: 'a -> b\nc <d>' })])).toEqual(
      expect.arrayContaining(['all', 'Ada &lt;ada@example.com&gt;', 'a -&gt; b<br>c &lt;d&gt;']),
    )
  })

  it('shows the newest 200, and says where all are', () => {
    const steps = Array.from({ length: 201 }, (_, at) => step({ why: `number ${at}` }))
    const page = String(historyOfCutover(steps))
    expect(page).toContain('number 199<')
    expect(page).not.toContain('number 200<')
    expect(page).toContain('The JSON file lists all 201.')
    expect(String(historyOfCutover(steps.slice(1)))).not.toContain('JSON')
  })

  it('distinguishes an empty audit from one that could not be read', () => {
    expect(String(historyOfCutover([]))).toContain('Nothing has been decided yet.')
    expect(String(historyOfCutover(null))).toContain('could not be read')
  })
})
