import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/config/address-ranges.ts'
import { hostileTexts } from '../bench/hostile-texts.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type Settings, type StartedGateway, startGateway, until } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'

const KB = 1024
const PATH = '/api/invoice/list'
const NOISY_BODIES = 24
const text = (length: number): string => JSON.stringify({ unknown: 'a'.repeat(length) })

/** A v1 that answers calls only once `answerAll` has been called, and a gateway before it that believes `X-Forwarded-For`. */
async function start(settings: Partial<Settings> = {}) {
  let isWilling = false
  const held: (() => void)[] = []
  const reached: unknown[] = []
  const v1 = await startHttpServer(({ headers }, response) => {
    const client = headers['x-request-id']
    if (client !== undefined) reached.push(client)
    const answer = (): void => void response.writeHead(200).end(JSON.stringify(v1Page([{ id: 1 }], { perPage: 25 })))
    if (isWilling) answer()
    else held.push(answer)
  })
  const gateway = await startGateway(v1.url, {
    settings: { trustedProxies: readAddressRanges('127.0.0.1', expect.unreachable), ...settings },
  })
  return {
    gateway,
    /** Whose calls have reached v1, in order. */
    reached,
    answerAll(): void {
      isWilling = true
      for (const answer of held.splice(0)) answer()
    },
  }
}

const call = async (gateway: StartedGateway, client: 'noisy' | 'polite', body: string): Promise<number> => {
  const address = client === 'noisy' ? '192.0.2.1' : '192.0.2.2'
  const headers = { 'x-request-id': client, 'x-forwarded-for': address }
  return (await gateway.call({ path: PATH, headers, body })).status
}

/** Waits until a metric of the gateway has at least this value. */
async function untilMetric(gateway: StartedGateway, name: string, least: number): Promise<void> {
  const admin = await gateway.openAdmin()
  for (;;) {
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    if (Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]) >= least) return
    await wait(5)
  }
}

describe('a client whose large bodies use up the memory', () => {
  test('does not delay another client: that one gets what becomes free', async () => {
    // A body takes three times its size. Two of these fit, and beside them one of the polite client.
    const { gateway, reached, answerAll } = await start({ memoryBytes: 2_000 * KB })
    const noisy = Array.from({ length: 10 }, () => call(gateway, 'noisy', text(200 * KB)))
    await until(() => reached.length === 2)
    await untilMetric(gateway, 'legacy_gateway_memory_waiting', 8)
    const polite = call(gateway, 'polite', text(100 * KB))
    await until(() => reached.length === 3)
    expect(reached).toEqual(['noisy', 'noisy', 'polite'])
    answerAll()
    expect(await Promise.all([...noisy, polite])).toEqual(Array(11).fill(200))
  })
})

describe('a client whose large bodies keep the thread for large bodies busy', () => {
  test('does not delay another client: they take turns', async () => {
    const { gateway, reached, answerAll } = await start()
    const body = hostileTexts['60,000 members, escaped'] ?? ''
    // The thread takes two seconds for them, so that the polite call arrives before it is done.
    const noisy = Array.from({ length: NOISY_BODIES }, () => call(gateway, 'noisy', body))
    await untilMetric(gateway, 'legacy_gateway_memory_used_bytes', NOISY_BODIES * 3 * body.length)
    const polite = call(gateway, 'polite', text(300 * KB))
    await until(() => reached.length === NOISY_BODIES + 1)
    expect(reached.indexOf('polite')).toBeLessThan(NOISY_BODIES)
    answerAll()
    expect(await Promise.all([...noisy, polite])).toEqual(Array(NOISY_BODIES + 1).fill(200))
  })
})
