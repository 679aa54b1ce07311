import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into the gateway's process before it (`--import`): tells how long one stretch of work held its event loop, at most,
 * since it was last asked. On a machine with other things to do the time says less than what the thread itself computed.
 */

const now = performance.now.bind(performance)
let before = now()
let cpuBefore = cpuOfThread()
let most = { heldMs: 0, cpuMs: 0 }

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** At `/leap` the clock that traffic is counted by is put forward. */
const MINUTE_MS = 60_000
let aheadMs = 0

function watch(): void {
  performance.now = () => now() + aheadMs
  setInterval(() => {
    const [at, cpu] = [now(), cpuOfThread()]
    most = { heldMs: Math.max(most.heldMs, at - before), cpuMs: Math.max(most.cpuMs, cpu - cpuBefore) }
    before = at
    cpuBefore = cpu
  }, 1).unref()

  const server = createServer(({ url }, response) => {
    if (url === '/leap') aheadMs += MINUTE_MS
    response.end(JSON.stringify(most))
    most = { heldMs: 0, cpuMs: 0 }
  })
  server.listen(Number(process.env.WATCH_PORT), '127.0.0.1').unref()
}

// Other threads load it as well.
if (isMainThread) watch()
