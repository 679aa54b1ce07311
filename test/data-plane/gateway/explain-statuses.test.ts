import { expect, it } from 'vitest'
import { meaningOf } from '../../../src/data-plane/gateway/errors/v1-refusal.ts'
import { explain } from '../../../src/guide/lines/explain.ts'
import { listThings } from '../../support/made-up-operations.ts'

/** Compares what `explain` says of v1's error statuses with the table that the gateway follows. */
const explained = explain(listThings).filter(
  ({ part, change, v1 }) => part === 'error' && change === 'status' && v1 !== null,
)

it.each(explained.map(({ legacy, v1, says }) => [v1 ?? '', says ?? '', Number(legacy)] as const))(
  'an error of status %s (%s) is answered as explained',
  (v1, says, legacy) => {
    for (const status of v1 === '5xx' ? [500, 502, 503, 504, 599] : [Number(v1)]) {
      const meaning = meaningOf(status, !says.startsWith('without a code'))
      expect('status' in meaning ? meaning.status : 500).toBe(legacy)
    }
  },
)

it('every status that the table keeps or changes is explained', () => {
  const all = Array.from({ length: 100 }, (_, index) => 400 + index)
  const meant = all.filter((status) => 'status' in meaningOf(status, true))
  const listed = new Set(explained.map(({ v1 }) => Number(v1)).filter((status) => status < 500))
  expect([...listed].sort()).toEqual(meant)
})
