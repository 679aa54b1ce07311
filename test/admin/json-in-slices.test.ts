import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonInSlices } from '../../src/admin/json-in-slices.ts'
import { countTurns } from '../support/count-turns.ts'

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
const ITEM_MS = 3

/** An item that takes long to write: a long audit entry on a slow machine. */
const slowItem = {
  get why() {
    for (const end = performance.now() + ITEM_MS; performance.now() < end; );
    return ''
  },
}

it.each([
  ['of the result', { cutover: Array(ITEMS).fill(slowItem) }],
  ['of an object in the result', { callers: { clients: Array(ITEMS).fill(slowItem) } }],
])('calls are answered while a list %s is written', async (_, result) => {
  const [, turns] = await countTurns(() => jsonInSlices(result))
  expect(turns).toBeGreaterThanOrEqual(ITEMS / 4)
})
