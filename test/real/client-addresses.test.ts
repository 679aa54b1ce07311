import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readAddressRanges } from '../../src/app/variable-schemas.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'
import { type StartedGateway, startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { haproxy, nginx } from './proxies.ts'
import { makeFolder } from './start-program.ts'

/** Clients without a token, each at an address of its own. On Linux all of 127.0.0.0/8 is this machine. */
const CLIENTS = Array.from({ length: 12 }, (_, index) => `127.0.0.${index + 2}`)
const ROLLOUT = JSON.stringify({ operations: { 'country-list': { serve: 'legacy', v1Percent: 50 } } })

/** A gateway that serves the country list from v1 to half of the clients. */
async function gatewayTrusting(proxies: string | undefined): Promise<{ gateway: StartedGateway; legacy: HttpServer }> {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([{ id: 49 }]))))
  const legacy = await startHttpServer((_, response) => response.end('[]'))
  const gateway = await startGateway(v1.url, {
    legacyUrl: legacy.url,
    settings: {
      rolloutFile: join(makeFolder({ 'rollout.json': ROLLOUT }), 'rollout.json'),
      trustedProxies: proxies === undefined ? undefined : readAddressRanges(proxies, (why) => expect.unreachable(why)),
    },
  })
  return { gateway, legacy }
}

function callFrom(localAddress: string, url: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/country/all`, { localAddress, headers, agent: false }, (answer) => {
      answer.resume().on('end', resolve)
    })
    sent.on('error', reject).end()
  })
}

/** The client addresses of calls, and the side that answered them. */
const calls = ({ log }: StartedGateway): readonly (readonly [peer: unknown, side: unknown])[] =>
  log.filter(({ msg }) => msg === 'call').map(({ peer, answeredBy }) => [peer, answeredBy] as const)

const CHAIN = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
const behind = [
  ['nginx, by X-Forwarded-For', nginx, `${CHAIN} proxy_set_header Forwarded "";`],
  ['nginx, by Forwarded', nginx, 'proxy_set_header Forwarded "for=$remote_addr;proto=$scheme";'],
  ['HAProxy, by X-Forwarded-For', haproxy, 'option forwardfor'],
] as const

describe.skipIf(process.platform !== 'linux').each(behind)('behind %s', (_, proxy, more) => {
  test.skipIf(!proxy.isInstalled)('clients without a token are distinguished, and each stays on its side', async () => {
    const { gateway, legacy } = await gatewayTrusting('127.0.0.1')
    const { url } = await proxy.start(gateway.url, { more })
    for (const client of [...CLIENTS, ...CLIENTS]) await callFrom(client, url, { 'x-forwarded-for': '198.51.100.1' })
    const logged = calls(gateway)
    expect(logged.map(([peer]) => peer)).toEqual([...CLIENTS, ...CLIENTS])
    expect(new Set(logged.map(([, side]) => side))).toEqual(new Set(['v1', 'legacy']))
    expect(logged.slice(CLIENTS.length)).toEqual(logged.slice(0, CLIENTS.length))
    // The services get the chain, which ends with the proxy.
    expect(legacy.received[0]?.headers['x-forwarded-for']).toMatch(/^198\.51\.100\.1, (127\.0\.0\.\d+, )?127\.0\.0\.1$/)
  })

  test.skipIf(!proxy.isInstalled)('all are one client when the proxy is not trusted', async () => {
    const { gateway } = await gatewayTrusting(undefined)
    const { url } = await proxy.start(gateway.url, { more })
    for (const client of CLIENTS) await callFrom(client, url)
    expect(new Set(calls(gateway).map(String)).size).toBe(1)
    expect(calls(gateway)[0]?.[0]).toBe('127.0.0.1')
  })
})

test('only a trusted proxy is believed about the client', async () => {
  const { gateway } = await gatewayTrusting('10.0.0.0/8')
  await gateway.call({ path: '/country/all', headers: { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' } })
  expect(calls(gateway).map(([peer]) => peer)).toEqual(['127.0.0.1'])
})
