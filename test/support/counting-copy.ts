import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'

/** What happens to a write: the connection breaks before or after it is carried out, or its answer takes a while. */
type Fate = 'before' | 'after' | 'slow'

/** A copy of v1 that has imports and counts what arrives with a valid token. */
export interface CountingCopy {
  readonly url: string
  /** How often each write arrived: `create NAME`, `complete NAME`. */
  readonly arrived: ReadonlyMap<string, number>
  /** What happens to the next writes. */
  readonly fates: Fate[]
  /** Makes all tokens invalid that it has given. */
  expire(): void
  close(): void
}

const SLOW_MS = 3

/** Listens on loopback until it is closed. @param tls with which it speaks HTTPS; undefined: it speaks HTTP. */
export async function startCountingCopy(tls?: ServerOptions): Promise<CountingCopy> {
  const arrived = new Map<string, number>()
  /** The names of its imports, by their ids. */
  const names = new Map<string, string>()
  const fates: Fate[] = []
  let token = 1
  const answer: RequestListener = async (incoming, response) => {
    const body = await bodyOf(incoming)
    const say = (status: number, json: object): unknown =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    const { url = '' } = incoming
    if (url.endsWith('/auth/application')) {
      return say(200, { success: true, message: '', data: { token: `t${token}` } })
    }
    if (incoming.headers.authorization !== `Bearer t${token}`) {
      return say(401, { success: false, code: 'UNAUTHORIZED', message: '' })
    }
    const [, id] = /\/(\d+)\/complete$/.exec(url) ?? []
    const name = id === undefined ? (JSON.parse(body) as { readonly name: string }).name : names.get(id)
    const write = `${id === undefined ? 'create' : 'complete'} ${name}`
    arrived.set(write, (arrived.get(write) ?? 0) + 1)
    const fate = fates.shift()
    if (fate === 'before') return incoming.socket.destroy()
    const data = { id: names.size + 1, name, carrierShipmentId: 'x' }
    if (id === undefined) names.set(String(data.id), name ?? '')
    if (fate === 'after') return incoming.socket.destroy()
    if (fate === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    return say(id === undefined ? 201 : 200, { success: true, message: '', ...(id === undefined && { data }) })
  }
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`, arrived, fates },
    expire: () => token++,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
