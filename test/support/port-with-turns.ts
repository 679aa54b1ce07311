import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ListenOptions, listen } from '../../src/http/listen.ts'
import { Turn } from '../../src/http/turn.ts'
import { waitedBefore } from '../../src/http/waited.ts'
import { closeAtEnd } from './clean-up.ts'
import { until } from './start-gateway.ts'

type Limits = Partial<ListenOptions['connections']>

/** A port whose calls are answered at once. For a path that begins with `/hang`, they wait for a service until the test answers them; with `/slow` they are never answered. */
export async function openPort(
  limits: Limits = {},
  onCall: (request: IncomingMessage) => void = () => undefined,
  keepAliveMs = 75_000,
) {
  const begun: string[] = []
  const hanging: { answer: () => void }[] = []
  const waited: number[] = []
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '' } = request
    begun.push(url)
    waited.push(waitedBefore(request))
    onCall(request)
    if (url.startsWith('/hang')) hanging.push(waitForService(request, response))
    else if (!url.startsWith('/slow')) response.end(url)
  }
  const listener = await listen(handle, '127.0.0.1', 0, 'PORT', {
    keepAliveMs,
    connections: {
      limit: 1_000,
      maxWaiting: 10,
      maxLeaving: 10,
      refusal: '{}',
      waitingOfPeer: 2,
      waitCountsMs: 600_000,
      ...limits,
    },
  })
  closeAtEnd(() => listener.close(0))
  return { listener, begun, hanging, waited }
}

function waitForService({ socket }: IncomingMessage, response: ServerResponse) {
  const waitsNoMore = Turn.of(socket)?.waits()
  return {
    answer(): void {
      waitsNoMore?.()
      response.end()
    },
  }
}

/** A client's connection. `call` returns once the head of an answer has arrived. */
export function openClient({ port }: { readonly port: number }, from = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined)
  closeAtEnd(() => socket.destroy())
  let answers = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answers += text
  })
  const send = (path: string, headers = ''): Socket => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: gateway\r\n${headers}\r\n`)
    return socket
  }
  return {
    socket,
    send,
    answers: () => answers,
    async call(path: string, headers = ''): Promise<void> {
      const before = answers.length
      send(path, headers)
      await until(() => answers.length > before)
    },
  }
}

export type Port = Awaited<ReturnType<typeof openPort>>
export type Client = ReturnType<typeof openClient>

/** Connections that have called and been answered, while two calls of the same peer wait. */
export async function pausedBehindTwo(port: Port, count: number, headers = ''): Promise<readonly Client[]> {
  const clients = Array.from({ length: count }, () => openClient(port.listener))
  for (const number of [0, 1]) openClient(port.listener).send(`/hang${number}`, headers)
  await until(() => port.hanging.length === 2)
  for (const client of clients) await client.call('/first', headers)
  return clients
}

/** Long enough that what is read has been read. */
export const aMoment = (): Promise<void> => wait(150)

export const secondCalls = ({ begun }: Port): readonly string[] => begun.filter((url) => url.startsWith('/second'))
