import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const DRAIN_MS = 2_000

/** The gateway as a process, before a v1 that answers at once. */
async function serving(env: Readonly<Record<string, string>> = {}) {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([]))))
  const gateway = startService('serve', { V1_BASE_URL: v1.url, DRAIN_MS: `${DRAIN_MS}`, ...env })
  return { gateway, ...(await servingAt(gateway)) }
}

interface Answered {
  readonly status: number | undefined
  readonly connection: string | undefined
}

/** Calls on a connection of the agent; rejects when there is none any more. */
const call = (url: string, agent?: Agent): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const options = { ...(agent && { agent }), headers: { connection: 'keep-alive' } }
    request(`${url}/country/all`, options, (response: IncomingMessage) => {
      const { statusCode: status, headers } = response
      response.resume().on('end', () => resolve({ status, connection: headers.connection }))
    })
      .on('error', reject)
      .end()
  })

const oneConnection = (): Agent => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  closeAtEnd(() => agent.destroy())
  return agent
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

test('a stopping gateway answers open and new connections for DRAIN_MS, each once, and is not ready', async () => {
  const { gateway, legacy, admin } = await serving()
  const kept = oneConnection()
  expect(await call(legacy, kept)).toEqual({ status: 200, connection: 'keep-alive' })
  const stoppedAt = performance.now()
  gateway.child.kill('SIGTERM')
  await until(() => gateway.output().includes('"msg":"stopping"'), 5_000)
  expect(await statusOf(`${admin}/readyz`)).toBe(503)
  // An idle connection, in which a balancer may just be sending a call.
  expect(await call(legacy, kept)).toEqual({ status: 200, connection: 'close' })
  expect(await call(legacy)).toEqual({ status: 200, connection: 'close' })
  const idle = connect(Number(new URL(legacy).port), '127.0.0.1')
  closeAtEnd(() => idle.destroy())
  expect(await gateway.exit).toBe(0)
  expect(performance.now() - stoppedAt).toBeGreaterThan(DRAIN_MS)
  await expect(call(legacy)).rejects.toThrow('ECONNREFUSED')
})

test('the drain ends at once when no client is connected', async () => {
  const { gateway, admin } = await serving({ DRAIN_MS: '60000' })
  // Whoever asks the admin port is no client.
  await statusOf(`${admin}/readyz`)
  gateway.child.kill('SIGTERM')
  expect(await gateway.exit).toBe(0)
})

test('DRAIN_MS=0 closes the port at once', async () => {
  const { gateway, legacy } = await serving({ DRAIN_MS: '0', SHUTDOWN_GRACE_MS: '60000' })
  const kept = oneConnection()
  await call(legacy, kept)
  gateway.child.kill('SIGTERM')
  expect(await gateway.exit).toBe(0)
})

test('a second signal ends the drain', async () => {
  const { gateway, legacy } = await serving({ DRAIN_MS: '60000' })
  const kept = oneConnection()
  await call(legacy, kept)
  gateway.child.kill('SIGTERM')
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  expect(gateway.child.exitCode).toBeNull()
  gateway.child.kill('SIGTERM')
  expect(await gateway.exit).toBe(143)
})
