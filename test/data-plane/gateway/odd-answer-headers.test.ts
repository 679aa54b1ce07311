import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { sendBytes } from '../../support/legacy-client.ts'
import { deadUrl, startRawServer } from '../../support/raw-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'

const BODY = '{"token":"legacy-token"}'
/** The header of the legacy service's answer, each character a byte, and whether it comes before the length of the body. */
let [header, isFirst] = ['', true]
let gateway: StartedGateway

beforeAll(async () => {
  const legacy = await startRawServer((socket) => {
    const length = `Content-Length: ${BODY.length}`
    const lines = isFirst ? [header, length] : [length, header]
    socket.write(Buffer.from(['HTTP/1.1 200 OK', ...lines, '', BODY].join('\r\n'), 'latin1'))
  })
  const folder = mkdtempSync(join(tmpdir(), 'odd-answer-headers-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const rolloutFile = join(folder, 'rollout.json')
  writeFileSync(rolloutFile, JSON.stringify({ operations: { auth: { serve: 'legacy' } } }))
  gateway = await startGateway(await deadUrl(), { legacyUrl: legacy.url, settings: { rolloutFile } })
})

describe.each([
  ['a login', 'POST /auth/application'],
  ['a call that is passed through', 'GET /report'],
])('a header in the answer of the legacy service to %s', (_, call) => {
  describe.each([
    ['before', true],
    ['after', false],
  ])('that comes %s the length of the body', (_, comesFirst) => {
    test.each([
      ['UTF-8 in Content-Disposition', 'content-disposition: attachment; filename="\xc5\x9fehir.pdf"'],
      ['Latin-1 in Content-Disposition', 'content-disposition: attachment; filename="\xe9.pdf"'],
      ['UTF-8 that means U+010A in Content-Disposition', 'content-disposition: attachment; filename="\xc4\x8a"'],
      ['UTF-8 in another header', 'x-name: \xc5\x9fehir'],
    ])('is passed on byte by byte: %s', async (_, written) => {
      header = written
      isFirst = comesFirst
      const request = `${call} HTTP/1.1\r\nHost: gateway\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`
      const answer = await sendBytes(gateway.url, request)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).toContain(`\r\n${Buffer.from(written, 'latin1')}\r\n`)
      expect(answer).toMatch(/\r\n\r\n\{"token":"\S+"\}$/)
    })
  })
})
