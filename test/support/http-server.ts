import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAtEnd } from './clean-up.ts'

/** A request as it arrived, with its whole body. */
export interface Received {
  readonly method: string
  /** As written in the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface HttpServer {
  readonly url: string
  /** The requests whose bodies arrived whole, in order. */
  readonly received: readonly Received[]
}

/** A service on loopback until the file's tests have run; `answer` gets each request once its body is complete. */
export async function startHttpServer(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<HttpServer> {
  const received: Received[] = []
  const server = createServer((incoming: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', () => undefined)
    incoming.on('end', () => {
      const { method = '', url: target = '', headers } = incoming
      const request = { method, target, headers, body: Buffer.concat(chunks).toString() }
      received.push(request)
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
