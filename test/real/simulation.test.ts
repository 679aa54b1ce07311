import { expect, it } from 'vitest'
import { ledgerFaults } from '../simulate/deliberate-faults.ts'
import { findEach, run } from '../simulate/find-faults.ts'

/** How many histories two processes run each. */
const HALF = 500

it('1,000 histories with crashes, hangs, lost answers, partitions and clocks that leap end with everything right', async () => {
  const both = await Promise.all([run('.', ['1', `${HALF}`]), run('.', [`${1 + HALF}`, `${HALF}`])])
  for (const { output } of both) expect(output).toMatch(/^500 histories in .*: all are right\.\n$/)
}, 300_000)

it('the same seed tells the same history, letter by letter', async () => {
  for (const seed of ['1', '31', '577']) {
    const [one, other] = await Promise.all([run('.', [seed]), run('.', [seed])])
    expect(one.output.split('\n').length).toBeGreaterThan(10)
    expect(other).toEqual(one)
  }
})

it('each deliberate fault in the ledger is found within 1,000 histories', async () => {
  const found = await findEach(ledgerFaults, 1_000)
  expect(found).toHaveLength(ledgerFaults.length)
  expect(ledgerFaults.length).toBeGreaterThanOrEqual(10)
  const missed = found.flatMap(({ fault: { name }, histories }) => (histories === undefined ? [name] : []))
  expect(missed).toEqual([])
  for (const { by } of found) expect(by).toMatch(/[a-z].*\.$/)
}, 600_000)
