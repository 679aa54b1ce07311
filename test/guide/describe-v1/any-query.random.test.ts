import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { expectSame } from '../../support/expect-same.ts'
import { runs } from '../../support/random-runs.ts'
import {
  expectDescribed,
  expectRefused,
  isAllowed,
  isShown,
  lists,
  type Send,
  startDescribed,
  stated,
} from './support/described-sandbox.ts'

let send: Send
beforeAll(async () => {
  send = await startDescribed()
})

const texts = fc.oneof(
  fc.integer({ min: -5, max: 500 }).map(String),
  fc.constantFrom('true', 'false', 'asc', 'Desc', 'id', 'name', 'code', '2025-01-31', '', 'EUR,USD'),
  fc.string({ unit: fc.constantFrom(...'abcXYZ 09-'), maxLength: 300 }),
)

test.each(lists)('%s of the sandbox takes or refuses any query as the description does', async (_, call) => {
  const parameters = stated(call)
  const values = parameters.map((one) => [one.name, texts.filter((text) => isShown(one, text))] as const)
  const query = fc.record(Object.fromEntries(values), { requiredKeys: [] })
  await fc.assert(
    fc.asyncProperty(query, async (sent) => {
      const answered = await send('GET', `${call.path}?${new URLSearchParams(sent as Record<string, string>)}`)
      const wrong = parameters.filter((one) => {
        const text = sent[one.name]
        return text !== undefined && !isAllowed(one, text)
      })
      if (wrong.length > 0) {
        expectRefused(
          call,
          answered,
          wrong.map(({ name }) => name),
        )
        return
      }
      expectSame(answered.status, 200)
      expectDescribed(call, answered)
    }),
    { numRuns: runs(100) },
  )
})
