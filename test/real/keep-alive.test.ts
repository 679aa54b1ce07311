import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { openPausingClients } from './pausing-clients.ts'
import { haproxy, nginx } from './proxies.ts'

const BODY = '{"perPage":1}'
const POST = `POST /api/invoice/list HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
const CLIENTS = 16
/** Node keeps an idle connection a second longer than it announces. */
const NODES_MARGIN_MS = 1_000

/** A gateway behind a proxy. Clients pause for about the shorter of the gateway's times, and call again. */
async function callAfterPause(proxy: typeof nginx, keepAliveMs: number): Promise<readonly (number | 'cut off')[]> {
  const page = JSON.stringify(v1Page([], { perPage: 1 }))
  const v1 = await startHttpServer((_, response) => response.end(page))
  const gateway = await startGateway(v1.url, { keepAliveMs })
  const { url } = await proxy.start(gateway.url)
  const clients = openPausingClients(url, CLIENTS, POST)
  expect(new Set(await clients.call())).toEqual(new Set([200]))
  await wait(NODES_MARGIN_MS / 2)
  // A gateway that is busy for a moment finds connections timed out before it reads the requests on them.
  await setImmediate()
  const answers = clients.call()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, NODES_MARGIN_MS)
  return answers
}

describe.each([nginx, haproxy])('behind $name, which keeps idle connections for a minute', (proxy) => {
  test.skipIf(!proxy.isInstalled)(`no POST is lost (with ${proxy.name})`, async () => {
    expect(new Set(await callAfterPause(proxy, 75_000))).toEqual(new Set([200]))
  })

  test.skipIf(!proxy.isInstalled)(`POSTs would be lost if the gateway hung up first (with ${proxy.name})`, async () => {
    const answers = await callAfterPause(proxy, 1)
    expect(answers.filter((answer) => answer === 502 || answer === 'cut off')).not.toEqual([])
  })
})
