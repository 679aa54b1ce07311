import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { BlockList } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { startGateway } from '../../../src/app/start-gateway.ts'
import { closeAtEnd } from '../../support/clean-up.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { v1Page } from '../../support/v1-bodies.ts'

/** The gateway's functions on the stack, innermost first. */
function ownFunctions(): readonly string[] {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const { stack = '' } = new Error('here')
  Error.stackTraceLimit = before
  return stack.split('\n').filter((line) => line.includes('/src/'))
}

const serveCall = (line: string): boolean => /\bserveCall \(/.test(line)

test('from the socket of a call to the socket of v1 there are ten functions at most', async () => {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
  const gateway = await startGateway(
    readConfig({
      ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', STATE_DB: ':memory:' },
      ...{ V1_BASE_URL: v1.url, TRUSTED_PROXIES: '10.0.0.1' },
    }),
  )
  closeAtEnd(() => gateway.stop())

  // The stacks are taken where the call's head is read, and where it is passed to the client library.
  let fromSocket: readonly string[] = []
  vi.spyOn(BlockList.prototype, 'check').mockImplementation(() => {
    fromSocket = ownFunctions()
    return false
  })
  let toV1: readonly string[] = []
  const onRequest = (): void => {
    toV1 = ownFunctions()
  }
  subscribe('undici:request:create', onRequest)
  onTestFinished(() => {
    vi.restoreAllMocks()
    unsubscribe('undici:request:create', onRequest)
  })
  const reply = await callLegacy(gateway.legacyUrl, { path: '/api/invoice/list', body: '{}' })

  expect(reply.status).toBe(200)
  const before = fromSocket.slice(fromSocket.findIndex(serveCall) + 1)
  const way = [...toV1, ...before].reverse()
  expect(way.filter(serveCall)).toHaveLength(1)
  expect(way.length, way.join('\n')).toBeLessThanOrEqual(10)
})
