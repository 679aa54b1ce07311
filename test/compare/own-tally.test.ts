import { expect, it } from 'vitest'
import { countExchange } from '../../src/compare/tally/count-exchange.ts'
import { OwnTally } from '../../src/compare/tally/postgres/own-tally.ts'
import { expectationsFrom } from './support/lines.ts'
import { observe } from './support/observing.ts'

const DAY = 86_400_000

it('one call stamped by a clock that is ahead keeps no old release in the rows of a process in place of a newer one', () => {
  const own = new OwnTally()
  let number = 0
  const call = (v1: string, at: number): void => {
    const lineage = { mapping: expectationsFrom([]).mapping, v1, legacy: null }
    const operations = [countExchange(observe({ control: 1, candidate: 1, at: new Date(at) }), lineage)]
    own.add({ number: ++number, day: '2026-11-22', operations })
  }
  const now = Date.now()
  call('old', now - 100 * DAY)
  call('old', now + 30 * DAY)
  for (let release = 1; release <= 21; release++) call(`${release}`, now - DAY + release)
  expect(own.changes().dropped.map(({ lineage }) => lineage.v1)).toEqual(['old'])
})
