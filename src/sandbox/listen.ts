import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'

/** High enough that the endpoint refuses an overlong query, in its envelope, instead of Node with a 431. */
const maxHeaderBytes = 2 * 1024 * 1024

/** How long closing waits for requests that have arrived only in part. */
const closeGraceMs = 1000

export interface Listener {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves one face of the sandbox. `url` works on this machine even if `host` is a wildcard address. Rejects with an error
 * that names the face and the address, and has Node's `code`.
 */
export async function listen(
  face: string,
  fetch: (request: Request, connection: HttpBindings) => Response | Promise<Response>,
  host: string,
  port: number,
): Promise<Listener> {
  // Keeps the globals, because the sandbox may share its process with a program that relies on them.
  const server = createAdaptorServer({
    // The server created here is a server of node:http, so these are its bindings.
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
  const why = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error.message})`
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
    const timeout = setTimeout(() => server.closeAllConnections(), closeGraceMs)
    server.close(() => {
      clearTimeout(timeout)
      resolve()
    })
  })
}
