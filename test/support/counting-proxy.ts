import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAtEnd } from './clean-up.ts'

/** Passes requests on to a service, and counts them. */
export interface CountingProxy {
  readonly url: string
  /** How many there were. */
  count(): number
}

/** Starts it until the file's tests have run. */
export async function startCountingProxy(to: string): Promise<CountingProxy> {
  let count = 0
  const server = createServer((incoming, outgoing) => {
    count++
    const { method, url = '/', headers } = incoming
    const asked = request(new URL(url, to), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeAtEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: () => count }
}
