import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** The memory of the process and its connections to services. */
export interface MemoryFigures extends NodeJS.MemoryUsage {
  /** Connections to services since the start, and how many of these resumed a TLS session. */
  readonly opened: number
  readonly resumed: number
}

/*
 * Preloaded into the gateway's process (`--import`). Reports its current figures; at `/settled` those after full
 * garbage collections, which show what is really held.
 */

let opened = 0
let resumed = 0

const figures = (): MemoryFigures => ({ ...process.memoryUsage(), opened, resumed })

function watch(): void {
  subscribe('undici:client:connected', (message) => {
    const { socket } = message as { readonly socket: Socket }
    opened++
    if (socket instanceof TLSSocket && socket.isSessionReused()) resumed++
  })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Finalizers run between collections, and release more.
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      collect()
      await wait(250)
    }
  }
  const server = createServer((incoming, response) => {
    // A rare caller must not meet a connection that is just being closed.
    response.setHeader('connection', 'close')
    void (incoming.url === '/settled' ? settle() : Promise.resolve()).then(() =>
      response.end(JSON.stringify(figures())),
    )
  })
  server.listen(Number(process.env.WATCH_PORT), '127.0.0.1').unref()
}

// Other threads load this file as well.
if (isMainThread) watch()
