import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openConnection, sealed, startBusy } from '../support/busy-client.ts'
import { until } from '../support/start-gateway.ts'

describe.concurrent("the further connections of a client with many waiting calls, while others' calls", () => {
  test('come from other addresses, are not read', async () => {
    const headers = [await sealed('noisy')]
    const { gateway, further, unread } = await startBusy(headers)
    further.call('/nothing', headers)
    // A login, whose client is not known yet, does not pass for another client.
    const login = openConnection(gateway)
    login.call('/nothing', [])
    await until(() => login.answered() === 1)
    await wait(300)
    expect(further.answered()).toBe(1)
    expect(await unread()).toBe(2)
  })

  test('come from the same address with a token of their own, are read, because a proxy may be in front', async () => {
    const headers = [await sealed('noisy')]
    const { gateway, further } = await startBusy(headers)
    further.call('/nothing', headers)
    await wait(300)
    expect(further.answered()).toBe(1)
    const other = openConnection(gateway)
    other.call('/nothing', [await sealed('polite')])
    await until(() => further.answered() === 2)
  })

  test.each(['x-forwarded-for: 192.0.2.1', 'forwarded: for=192.0.2.1', 'via: 1.1 proxy'])(
    'come through a proxy that says so (%s), are read',
    async (header) => {
      const headers = [await sealed('noisy'), header]
      const { further } = await startBusy(headers)
      further.call('/nothing', headers)
      await until(() => further.answered() === 2)
    },
  )
})
