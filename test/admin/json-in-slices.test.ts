import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonInSlices } from '../../src/admin/answers.ts'
import { countTurns } from '../support/count-turns.ts'
import { slowClock } from '../support/slow-clock.ts'

it('any object is written as JSON.stringify writes it', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }))
  const nested = fc.dictionary(
    fc.string(),
    fc.oneof(value, fc.array(value), fc.dictionary(fc.string(), fc.array(value))),
  )
  await fc.assert(
    fc.asyncProperty(nested, async (result) => {
      expect(Buffer.from(await jsonInSlices(result)).toString()).toBe(JSON.stringify(result))
    }),
  )
})

const ITEMS = 40
const items = Array.from({ length: ITEMS }, (_, why) => ({ why }))

it.each([
  ['of the result', { cutover: items }],
  ['of an object in the result', { callers: { clients: items } }],
])('calls are answered while a list %s is written', async (_, result) => {
  await slowClock()
  const [, turns] = await countTurns(() => jsonInSlices(result))
  // Each item is written, then copied.
  expect(turns).toBeGreaterThanOrEqual(2 * ITEMS)
})
