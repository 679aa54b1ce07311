import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { readAddressRanges } from '../../src/app/variable-schemas.ts'
import { startHttpServer } from './http-server.ts'
import { type Settings, type StartedGateway, startGateway } from './start-gateway.ts'
import { v1Page } from './v1-bodies.ts'

/** A v1 that answers calls only once `answerAll` has been called, and a gateway before it that believes `X-Forwarded-For`. */
export async function startHeld(settings: Partial<Settings> = {}) {
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

export const callAs = async (gateway: StartedGateway, client: 'noisy' | 'polite', body: string): Promise<number> => {
  const address = client === 'noisy' ? '192.0.2.1' : '192.0.2.2'
  const headers = { 'x-request-id': client, 'x-forwarded-for': address }
  return (await gateway.call({ path: '/api/invoice/list', headers, body })).status
}

/** Waits until a metric of the gateway has at least this value. */
export async function untilMetric(gateway: StartedGateway, name: string, least: number): Promise<void> {
  const admin = await gateway.openAdmin()
  for (;;) {
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    if (Number(new RegExp(`^${name} (.*)$`, 'm').exec(metrics)?.[1]) >= least) return
    await wait(20)
  }
}
