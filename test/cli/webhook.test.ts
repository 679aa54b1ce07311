import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/control-plane/cutover/webhook/send-message.ts'
import { startHttpServer } from '../support/http-server.ts'
import { deadUrl } from '../support/raw-server.ts'
import { runCommand } from '../support/run-command.ts'

const SECRET = 'sixteen-letters-'

describe('legacy-gateway webhook', () => {
  it('sends one signed message, and says that it was accepted', async () => {
    const { url, received } = await startHttpServer((_, response) => response.writeHead(204).end())
    const env = { WEBHOOK_URL: `${url}/hooks/path-secret`, WEBHOOK_SECRET: SECRET }
    const { exit, output, errors } = await runCommand(['webhook'], env)
    expect([exit, errors]).toEqual([0, ''])
    expect(received).toHaveLength(1)
    const [{ target, headers, body } = { target: '', headers: {}, body: '{}' }] = received
    const { id, event, at, text } = JSON.parse(body) as Record<string, string>
    expect(output).toBe(`The receiver at ${url} accepted the message ${id}.\n`)
    expect(target).toBe('/hooks/path-secret')
    expect(headers).toMatchObject({ 'x-signature': signatureOf(Buffer.from(body), SECRET), 'webhook-id': id })
    expect([event, text]).toEqual(['trial', expect.stringContaining('tests the webhook')])
    expect(Date.parse(at ?? '')).toBeGreaterThan(0)
  })

  it('says why it was not accepted, without the path, and exits with 1', async () => {
    const refusing = await startHttpServer((_, response) => response.writeHead(403).end('no'))
    for (const [url, why] of [
      [refusing.url, 'it answered 403'],
      [await deadUrl(), 'connection refused (ECONNREFUSED'],
    ] as const) {
      const env = { WEBHOOK_URL: `${url}/path-secret`, WEBHOOK_SECRET: SECRET }
      const { exit, output, errors } = await runCommand(['webhook'], env)
      expect([exit, output]).toEqual([1, ''])
      expect(errors).toContain(`The receiver at ${url} did not accept the message: ${why}`)
      expect(errors).not.toContain('path-secret')
    }
    expect(refusing.received).toHaveLength(1)
  })

  it('names the variables that are missing or wrong', async () => {
    expect(await runCommand(['webhook'], {})).toMatchObject({
      exit: 1,
      errors: 'The configuration cannot be used:\n  WEBHOOK_URL must be set: it names the receiver\n',
    })
    expect((await runCommand(['webhook'], { WEBHOOK_URL: 'https://h.example/' })).errors).toContain(
      'WEBHOOK_SECRET must be set with WEBHOOK_URL',
    )
  })
})
