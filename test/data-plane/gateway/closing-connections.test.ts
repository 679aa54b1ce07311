import { beforeAll, describe, expect, test } from 'vitest'
import { headerOf, messagesIn, statusOf } from '../../support/http-message.ts'
import { sendBytes } from '../../support/legacy-client.ts'
import { http, startRawServer } from '../../support/raw-server.ts'
import { startGateway } from '../../support/start-gateway.ts'

const MAX_BODY = 100
const LARGE = 'x'.repeat(MAX_BODY + 1)

let ports: Readonly<Record<'public' | 'admin', string>>
beforeAll(async () => {
  const legacy = await startRawServer((socket) => socket.write(http(200, '{}')))
  const settings = { maxBodyBytes: MAX_BODY }
  const gateway = await startGateway('http://127.0.0.1:9', { legacyUrl: legacy.url, settings })
  ports = { public: gateway.url, admin: await gateway.openAdmin() }
})

/** Everything that the gateway answers until it closes the connection itself. */
const answersTo = async (url: string, ...pieces: readonly string[]) => {
  const { messages } = messagesIn(Buffer.from(await sendBytes(url, ...pieces)).toString('latin1'))
  return messages.map((message) => [statusOf(message), headerOf(message, 'connection')])
}

const head = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

describe('the last answer before the gateway closes a connection says Connection: close', () => {
  test.each([
    ['a malformed request', 'public', 'nonsense\r\n\r\n', 400],
    ['a request without Host', 'public', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['headers without an end', 'public', head('GET /', `X: ${LARGE.repeat(400)}`), 431],
    ['a body that is too large', 'public', head('POST /auth/application', `Content-Length: ${MAX_BODY + 1}`), 413],
    ['a body that is too large to be passed on', 'public', head('POST /else', `Content-Length: ${MAX_BODY + 1}`), 413],
    [
      'a chunked body that is too large to be passed on',
      'public',
      `${head('POST /else', 'Transfer-Encoding: chunked')}65\r\n${LARGE}\r\n`,
      413,
    ],
    ['a body in an unknown coding', 'public', head('POST /else', 'Transfer-Encoding: gzip, chunked'), 415],
    ['a body that nobody reads', 'public', head('DELETE /country/all', 'Content-Length: 5000'), 405],
    ['OPTIONS with a body that nobody reads', 'public', head('OPTIONS /api/v1/x', 'Content-Length: 5000'), 404],
    [
      'a client that waits for 100 Continue',
      'public',
      head('POST /else', 'Expect: 100-continue', 'Content-Length: 999'),
      413,
    ],
    ['a client that asks for it', 'public', head('GET /api/v1/x', 'Connection: close'), 404],
    ['a malformed request', 'admin', 'nonsense\r\n\r\n', 400],
    ['a client that asks for it', 'admin', head('GET /healthz', 'Connection: close'), 200],
    ['a body that nobody reads', 'admin', `${head('POST /healthz', 'Content-Length: 5000')}xx`, 404],
    ['a body that is too large', 'admin', `${head('POST /explain', 'Content-Length: 99999999')}xx`, 413],
  ] as const)('%s, at the %s port', async (_, port, request, status) => {
    expect(await answersTo(ports[port], request)).toEqual([[status, 'close']])
  })
})
