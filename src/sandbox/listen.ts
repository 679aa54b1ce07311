import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'

/** So that an overlong query is refused by the endpoint, in its envelope, and not by Node's own 431. */
const maxHeaderBytes = 2 * 1024 * 1024

/** How long a stop waits for requests that are only half sent. */
const closeGraceMs = 1000

export interface Listener {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves one face of the sandbox. `url` is one that this machine can reach, also when `host` means every address.
 * Rejects with an error that names the face and the address and carries Node's `code`.
 */
export async function listen(
  face: string,
  fetch: (request: Request, connection: HttpBindings) => Response | Promise<Response>,
  host: string,
  port: number,
): Promise<Listener> {
  // The globals stay as they are: the sandbox may share its process with a program that has its own idea of them.
  const server = createAdaptorServer({
    // What is created below is a server of node:http.
    fetch: (request, connection) => fetch(request, connection as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: { maxHeaderSize: maxHeaderBytes },
  }) as Server
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describe(error, face, host, port)))
    server.listen(port, host, resolve)
  })
  return { url: urlOf(server), close: () => close(server) }
}

function describe(error: NodeJS.ErrnoException, face: string, host: string, port: number): Error {
  const why = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be listened on (${error.message})`
  return Object.assign(new Error(`Sandbox ${face}: ${host}:${port} ${why}`, { cause: error }), { code: error.code })
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The sandbox listens on no TCP port')
  if (address.address === '0.0.0.0') return `http://127.0.0.1:${address.port}`
  if (address.address === '::') return `http://[::1]:${address.port}`
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), closeGraceMs)
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
  })
}
