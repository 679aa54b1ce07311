import { expect, test } from 'vitest'
import { callAs, startHeld, untilMetric } from '../support/held-calls.ts'
import { until } from '../support/start-gateway.ts'

const KB = 1024
const text = (length: number): string => JSON.stringify({ unknown: 'a'.repeat(length) })

test('a client whose large bodies use up the memory does not delay another client: that one gets what becomes free', async () => {
  // A body takes three times its size. Two of these fit, and beside them one of the polite client.
  const { gateway, reached, answerAll } = await startHeld({ memoryBytes: 2_000 * KB })
  const noisy = Array.from({ length: 10 }, () => callAs(gateway, 'noisy', text(200 * KB)))
  await until(() => reached.length === 2)
  await untilMetric(gateway, 'legacy_gateway_memory_waiting', 8)
  const polite = callAs(gateway, 'polite', text(100 * KB))
  await until(() => reached.length === 3)
  expect(reached).toEqual(['noisy', 'noisy', 'polite'])
  answerAll()
  expect(await Promise.all([...noisy, polite])).toEqual(Array(11).fill(200))
})
