import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import document from '../../mappings/document.ts'
import { tokenSealer } from '../../src/gateway/login/sealed-token.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type StartedGateway, startGateway, until } from '../support/start-gateway.ts'

const KEY = Buffer.alloc(32, 7)
const WAITING = 2

const sealed = async (client: string): Promise<string> =>
  `authorization: Bearer ${await tokenSealer([KEY]).seal({ client, v1: 'x' })}`

/** A connection to the gateway. `call` sends a call; `answered` counts the answers. */
function openConnection({ url }: StartedGateway) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  closeAtEnd(() => socket.destroy())
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text
  })
  return {
    answered: (): number => answers.split('HTTP/1.1 ').length - 1,
    answers: (): string => answers,
    call(path: string, headers: readonly string[], body = '{}'): void {
      const lines = [`POST ${path} HTTP/1.1`, 'host: gateway', 'content-type: application/json', ...headers]
      socket.write(`${lines.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    },
  }
}

const metric = async (adminUrl: string, pattern: RegExp): Promise<number> =>
  Number(pattern.exec(await (await fetch(`${adminUrl}/metrics`)).text())?.[1])

/** A client with as many waiting calls as a peer may have, because v1 answers none and takes one at a time, and a further connection. */
async function startBusy(headers: readonly string[]) {
  const v1 = await startHttpServer(() => undefined)
  const gateway = await startGateway(v1.url, {
    connections: { waitingOfPeer: WAITING, waitCountsMs: 600_000 },
    settings: { tokenKeys: [KEY], upstreamTimeoutMs: 60_000, lanes: { limit: 1, maxWaitMs: 20_000 } },
  })
  const admin = await gateway.openAdmin()
  for (let number = 0; number < WAITING + 1; number++) openConnection(gateway).call('/api/invoice/list', headers)
  await until(() => v1.received.length === 1)
  const waiting = /upstream_waiting\{upstream="v1",lane="reads"\} (\d+)/
  while ((await metric(admin, waiting)) < WAITING) await wait(5)
  const further = openConnection(gateway)
  further.call('/nothing', headers)
  await until(() => further.answered() === 1)
  return { gateway, v1, further, unread: () => metric(admin, /connections_unread (\d+)/) }
}

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
