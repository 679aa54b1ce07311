import { describe, expect, it } from 'vitest'
import { mappedExpectations } from './support/lines.ts'
import type { Seen } from './support/observing.ts'
import { observe, only, tallyOf } from './support/observing.ts'

const expectations = mappedExpectations('country-list')
const germany = { id: 57, code: 'DE', name: 'Almanya' }
const cyprus = { id: 90, code: 'CY', name: 'Kıbrıs' }

const call = (query: string, control: unknown, candidate: unknown, language = 'tr'): Seen => ({
  ...{ operation: 'country-list', expectations, control, candidate, input: `${language} ${query}` },
  request: { query, headers: { 'accept-language': language }, body: new Uint8Array() },
})

const REASON = 'widening: search: in v1, it matches Turkish names too'

describe('a declared widening of a search', () => {
  it.each([
    ['search=almanya', [], [germany]],
    ['search=KIBRIS', [], [cyprus]],
    ['search=k%C4%B1b', [], [cyprus]],
    ['search=an', [{ id: 1, code: 'AF', name: 'Afganistan' }], [{ id: 1, code: 'AF', name: 'Afganistan' }, germany]],
  ])('%s excuses further rows whose name contains it, with its reason', (query, control, candidate) => {
    const tally = tallyOf(expectations)
    const found = observe(call(query, control, candidate))
    expect(found.outcome).toBe('ignored')
    tally.record({ ...found, operation: 'made-up' })
    expect(only(tally).differences).toMatchObject([{ kind: 'length', ignored: REASON, excusing: null }])
  })

  it.each([
    ['another text was searched', call('search=fran', [], [germany])],
    ['only the code contains it', call('search=de', [], [germany])],
    ['one of the further rows does not contain it', call('search=alm', [], [germany, cyprus])],
    ['no text was searched', call('search=', [], [germany])],
    ['another member was sent', call('code=DE', [], [germany])],
    ['the answer is in English, where Turkish names cannot be seen', call('search=almanya', [], [germany], 'en')],
    ['a row of legacy is lost', call('search=almanya', [germany], [])],
    ['a row of legacy is lost, and others come', call('search=a', [cyprus], [germany, { ...germany, id: 2 }])],
    ['a row of legacy is in the place of another', call('search=alm', [cyprus], [germany])],
    [
      'the rows of legacy come in another order',
      call('search=a', [germany, cyprus], [cyprus, germany, { ...germany, id: 2 }]),
    ],
    ['a row has no name', call('search=alm', [], [{ id: 57, code: 'DE' }])],
    ['the name is no text', call('search=5', [], [{ id: 57, name: 57 }])],
  ])('does not hold if %s', (_, seen) => {
    expect(observe(seen).outcome).toBe('mismatched')
  })

  it('excuses nothing in the rows that both have', () => {
    const found = observe(
      call('search=an', [{ id: 1, name: 'Iran', code: 'IR' }], [{ id: 1, name: 'Iran', code: 'XX' }, germany]),
    )
    expect(found.outcome).toBe('mismatched')
    expect(found.differences.map(({ kind, path }, at) => [kind, path, found.counts[at]])).toEqual([
      ['length', '', false],
      ['changed', '[].code', true],
    ])
  })

  it('counts as excused in the rate without rules and losses', () => {
    const tally = tallyOf(expectations)
    const seen = [call('search=a', [cyprus], [cyprus, germany]), call('search=b', [cyprus], [cyprus])]
    for (const one of seen) tally.record({ ...observe(one), operation: 'made-up' })
    expect(only(tally)).toMatchObject({ matchRate: 1, unexcusedRate: 0.5, units: { distinct: 2, mismatched: 0 } })
  })
})
