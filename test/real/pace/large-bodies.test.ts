import { expect, test } from 'vitest'
import { hostileTexts } from '../../bench/hostile-texts.ts'
import { callAs, startHeld, untilMetric } from '../../support/held-calls.ts'
import { until } from '../../support/start-gateway.ts'

const NOISY_BODIES = 24

test('a client whose large bodies keep the thread for large bodies busy does not delay another client: they take turns', async () => {
  const { gateway, reached, answerAll } = await startHeld()
  const body = hostileTexts['60,000 members, escaped'] ?? ''
  // The thread takes two seconds for them, so that the polite call arrives before it is done.
  const noisy = Array.from({ length: NOISY_BODIES }, () => callAs(gateway, 'noisy', body))
  await untilMetric(gateway, 'legacy_gateway_memory_used_bytes', NOISY_BODIES * 3 * body.length)
  const polite = callAs(gateway, 'polite', JSON.stringify({ unknown: 'a'.repeat(300_000) }))
  await until(() => reached.length === NOISY_BODIES + 1)
  expect(reached.indexOf('polite')).toBeLessThan(NOISY_BODIES)
  answerAll()
  expect(await Promise.all([...noisy, polite])).toEqual(Array(NOISY_BODIES + 1).fill(200))
})
