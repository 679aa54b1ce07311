import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/*
 * Preloaded into the gateway's process (`--import`). Reports the longest time that one stretch of work held the event
 * loop since the last report. On a busy machine this time means less than the processor time of the thread.
 */

const now = performance.now.bind(performance)
let before = now()
let cpuBefore = cpuOfThread()
let most = { heldMs: 0, cpuMs: 0 }

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** `/leap` advances the clock by which traffic is counted. */
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

// Other threads load this file as well.
if (isMainThread) watch()
