import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { buildWebhooks } from '../../../../src/app/build-cutover.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { startConnectProxy } from '../../../support/connect-proxy.ts'
import { startHttpServer } from '../../../support/http-server.ts'
import { until } from '../../../support/start-gateway.ts'
import { plainOutbox } from './plain-outbox.ts'

const SECRET = 'sixteen-letters-'
const DIRECT = { v1: undefined, legacy: undefined, proxy: undefined }

/** Sends one message as the gateway does. */
function sendOne(url: string, connecting: Parameters<typeof buildWebhooks>[0]['connecting'] = DIRECT) {
  const outbox = plainOutbox(Date.now)
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  outbox.add('a-1', 'a')
  const webhooks = buildWebhooks(
    { webhook: { url: new URL(url), secret: SECRET }, connecting },
    outbox.seenBy('one'),
    log,
  )
  closeAtEnd(() => webhooks?.close(0))
  return { outbox, webhooks, lines }
}

it('nothing is sent without WEBHOOK_URL', () => {
  const { seenBy } = plainOutbox(Date.now)
  expect(buildWebhooks({ webhook: undefined, connecting: DIRECT }, seenBy('one'), pino({ level: 'silent' }))).toBe(
    undefined,
  )
})

it('the gateway sends what is in the outbox at once, and says who it is', async () => {
  const { url, received } = await startHttpServer((_, response) => response.end())
  const { outbox, webhooks } = sendOne(`${url}/hook`)
  await until(() => outbox.left().length === 0)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
  expect(received).toHaveLength(1)
  expect(received[0]?.headers['user-agent']).toMatch(`legacy-gateway/${version}`)
  await webhooks?.close(10_000)
})

it('an https receiver is called through the proxy, which does not learn the path', async () => {
  const proxy = await startConnectProxy((_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  const settings = { origin: proxy.url, authorization: undefined }
  const { lines } = sendOne('https://chat.example.com/hooks/path-secret', {
    ...DIRECT,
    proxy: { proxy: settings, except: '' },
  })
  await until(() => lines.length > 0)
  expect(proxy.asked.map(({ authority }) => authority)).toEqual(['chat.example.com:443'])
  expect(lines[0]).toContain(`the proxy at ${proxy.url}: it forbids the tunnel (it answered CONNECT with 403)`)
  expect(lines.join('') + JSON.stringify(proxy.asked)).not.toContain('path-secret')
})

it('a host in NO_PROXY is called directly', async () => {
  const proxy = await startConnectProxy()
  const { lines } = sendOne('https://127.0.0.1:1/hook', {
    ...DIRECT,
    proxy: { proxy: { origin: proxy.url, authorization: undefined }, except: '127.0.0.0/8' },
  })
  await until(() => lines.length > 0)
  expect(lines[0]).toContain('ECONNREFUSED')
  expect(proxy.asked).toEqual([])
})
