import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import document from '../../../mappings/document.ts'
import { sealed, startBusy } from '../../support/busy-client.ts'
import { until } from '../../support/start-gateway.ts'

describe.concurrent('the further connections of a client with many waiting calls, beside which nobody calls', () => {
  test('are read after five seconds, and their calls get a slot of v1 if one is free', async () => {
    const headers = [await sealed('noisy')]
    const { further, v1 } = await startBusy(headers)
    // Other calls than reads have slots of their own.
    further.call('/api/consignment/document', headers, JSON.stringify(document.example?.request))
    const isAsked = (): boolean => v1.received.some(({ method }) => method === 'POST')
    await wait(4_500)
    expect(isAsked()).toBe(false)
    await until(isAsked)
  })

  test('are read after five seconds, and their calls are refused at once while others wait for v1', async () => {
    const headers = [await sealed('noisy')]
    const { gateway, further } = await startBusy(headers)
    // The body is not even read.
    further.call('/api/invoice/list', headers, 'no JSON')
    await until(() => further.answered() === 2)
    expect(further.answers()).toMatch(/HTTP\/1\.1 5\d\d .*retry-after: \d/is)
    expect(gateway.log).toContainEqual(expect.objectContaining({ failure: 'overloaded', v1Calls: 0 }))
  })
})
