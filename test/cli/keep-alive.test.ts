import { expect, test } from 'vitest'
import { callLegacy } from '../support/legacy-client.ts'
import { servingAt, startService } from '../support/service-process.ts'

test.each([
  [{}, 75],
  [{ KEEP_ALIVE_MS: '120500' }, 120],
])('both ports keep idle connections, and say how long: %j', { timeout: 60_000 }, async (env, seconds) => {
  const gateway = startService('serve', { V1_BASE_URL: 'http://127.0.0.1:9', ...env })
  const { legacy, admin } = await servingAt(gateway)
  for (const url of [`${legacy}/nothing`, `${admin}/healthz`]) {
    const { headers } = await callLegacy(url, {
      path: new URL(url).pathname,
      headers: { connection: 'keep-alive' },
    })
    expect(headers['keep-alive']).toBe(`timeout=${seconds}`)
  }
})
