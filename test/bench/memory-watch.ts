import { subscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** What the process tells of its memory and its connections to services. */
export interface MemoryFigures extends NodeJS.MemoryUsage {
  /** Connections to services since the start, and how many of them resumed a TLS session. */
  readonly opened: number
  readonly resumed: number
}

/*
 * Loaded into the gateway's process before it (`--import`): tells its figures as they are; at `/settled` those after full
 * collections, which show what is really held.
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
  // Finalizers run between collections, and let go of more.
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      collect()
      await wait(250)
    }
  }
  const server = createServer((incoming, response) => {
    // Who asks seldom must not meet a connection that is just being closed.
    response.setHeader('connection', 'close')
    void (incoming.url === '/settled' ? settle() : Promise.resolve()).then(() =>
      response.end(JSON.stringify(figures())),
    )
  })
  server.listen(Number(process.env.WATCH_PORT), '127.0.0.1').unref()
}

// Other threads load it as well.
if (isMainThread) watch()
