import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'

/** An open port. All its connections go to one HTTP server. */
export interface Port {
  /** Stops accepting connections, at once. Returns when the connections that were accepted have closed. */
  close(): Promise<void>
}

/** How many connections may wait to be accepted. Node's default of 511 refuses some when 1,000 clients reconnect at once. */
const BACKLOG = 4_096

/**
 * Opens a port for an HTTP server. `sockets` listen on it, and the system divides new connections among them (SO_REUSEPORT).
 * In a turn of the event loop each socket accepts one connection. With one socket, 1,000 clients that connect at once to a
 * busy process wait for 1,000 turns.
 * @throws the system's error if the port cannot be opened, or is in use: several sockets are no less exclusive than one.
 */
export async function openPort(server: Server, host: string, port: number, sockets: number): Promise<Port> {
  if (sockets === 1) {
    await listening(server, { host, port })
    return { close: () => closed(server) }
  }
  const exclusive = await listening(new NetServer(), { host, port })
  const { port: free } = exclusive.address() as AddressInfo
  exclusive.close()
  const others = Array.from({ length: sockets - 1 }, () => accepting(server))
  const all = [server, ...others]
  const close = async (): Promise<void> => void (await Promise.all(all.map(closed)))
  try {
    for (const each of all) await listening(each, { host, port: free, reusePort: true })
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}

/** A server that passes its connections on. The options are those that Node gives its HTTP server. */
function accepting(server: Server): NetServer {
  return new NetServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
}

async function listening(
  server: NetServer,
  where: { readonly host: string; readonly port: number; readonly reusePort?: boolean },
): Promise<NetServer> {
  server.listen({ ...where, backlog: BACKLOG })
  await once(server, 'listening')
  return server
}

/** Closes the port only: the `close` of Node's HTTP server does other things first. */
function closed(server: NetServer): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}
