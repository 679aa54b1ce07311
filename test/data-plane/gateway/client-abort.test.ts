import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClientAbort, ResponseCaller } from '../../../src/data-plane/gateway/client-abort.ts'
import { listen } from '../../../src/data-plane/http/listen.ts'
import type { Caller } from '../../../src/data-plane/upstream/fair-queue.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { until } from '../../support/start-gateway.ts'

/** A port that never answers, and the callers that wait. */
async function openPort() {
  const callers: Caller[] = []
  const listener = await listen(
    (_, response) => void callers.push(new ResponseCaller(response)),
    '127.0.0.1',
    0,
    'PORT',
    {
      keepAliveMs: 5_000,
    },
  )
  closeAtEnd(() => listener.close(0))
  return { callers, port: listener.port }
}

test('a caller that nobody listens to knows when it hung up, also if somebody asks much later', async () => {
  const { callers, port } = await openPort()
  const client = connect(port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: gateway\r\nContent-Length: 0\r\n\r\n')
  await until(() => callers.length === 1)
  expect(callers[0]?.gone).toBeUndefined()
  const before = performance.now()
  client.destroy()
  await wait(400)
  const { gone } = callers[0] as Caller
  expect(gone).toBeInstanceOf(ClientAbort)
  expect((gone as ClientAbort).at - before).toBeGreaterThanOrEqual(0)
  expect((gone as ClientAbort).at - before).toBeLessThan(300)
})
