import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into the gateway's process before it (`--import`): tells how long one stretch of work held its event loop, at most,
 * since it was last asked. On a machine with other things to do the time says less than what the thread itself computed.
 */

let before = performance.now()
let cpuBefore = cpuOfThread()
let most = { heldMs: 0, cpuMs: 0 }

function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function watch(): void {
  setInterval(() => {
    const [now, cpu] = [performance.now(), cpuOfThread()]
    most = { heldMs: Math.max(most.heldMs, now - before), cpuMs: Math.max(most.cpuMs, cpu - cpuBefore) }
    before = now
    cpuBefore = cpu
  }, 1).unref()

  const server = createServer((_, response) => {
    response.end(JSON.stringify(most))
    most = { heldMs: 0, cpuMs: 0 }
  })
  server.listen(Number(process.env.WATCH_PORT), '127.0.0.1').unref()
}

// Other threads load it as well.
if (isMainThread) watch()
