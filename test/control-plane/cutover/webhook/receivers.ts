import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAtEnd } from '../../../support/clean-up.ts'
import type { Received } from '../../../support/http-server.ts'

/** Listens on a port of loopback, which may have been closed before, until the file's tests have run. */
export async function listenAt(
  port: number,
  answer: (request: Received, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = '', url: target = '', headers } = incoming
      answer({ method, target, headers, body: Buffer.concat(chunks).toString() }, response)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Message {
  readonly id: string
  readonly operation: string
}

export const messageOf = ({ body }: Pick<Received, 'body'>): Message => JSON.parse(body) as Message
