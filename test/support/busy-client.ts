import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { tokenSealer } from '../../src/gateway/login/sealed-token.ts'
import { closeAtEnd } from './clean-up.ts'
import { startHttpServer } from './http-server.ts'
import { type StartedGateway, startGateway, until } from './start-gateway.ts'

const KEY = Buffer.alloc(32, 7)
const WAITING = 2

/** The header with the token of a client. */
export const sealed = async (client: string): Promise<string> =>
  `authorization: Bearer ${await tokenSealer([KEY]).seal({ client, v1: 'x' })}`

/** A connection to the gateway. `call` sends a call; `answered` counts the answers. */
export function openConnection({ url }: StartedGateway) {
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
export async function startBusy(headers: readonly string[]) {
  const v1 = await startHttpServer(() => undefined)
  const gateway = await startGateway(v1.url, {
    // As few calls as possible fill the room, and they count for as long as a busy machine takes.
    connections: { waitingOfPeer: WAITING, waitCountsMs: 600_000 },
    settings: { tokenKeys: [KEY], upstreamTimeoutMs: 60_000, lanes: { limit: 1, maxWaitMs: 20_000 } },
  })
  const admin = await gateway.openAdmin()
  for (let number = 0; number < WAITING + 1; number++) openConnection(gateway).call('/api/invoice/list', headers)
  await until(() => v1.received.length === 1)
  const waiting = /upstream_waiting\{upstream="v1",lane="reads"\} (\d+)/
  while ((await metric(admin, waiting)) < WAITING) await wait(20)
  const further = openConnection(gateway)
  further.call('/nothing', headers)
  await until(() => further.answered() === 1)
  return { gateway, v1, further, unread: () => metric(admin, /connections_unread (\d+)/) }
}
