import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { GUIDE, guideTextsOf } from '../support/guide-services.ts'
import { DEMO_LOGIN } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

test.each([
  ['v1 alone', false],
  ['v1 and the legacy service', true],
])(
  'with %s of the sandbox behind, a token that it issued reads a guide, and another does not',
  async (_, hasLegacy) => {
    const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
    closeAtEnd(() => sandbox.close())
    const gateway = await startGateway(sandbox.v1Url, {
      settings: { clientGuides: true },
      guide: async (client) => guideTextsOf(client),
      ...(hasLegacy && { legacyUrl: sandbox.legacyUrl ?? '' }),
    })
    const { text } = await gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
    const { token } = JSON.parse(text) as { token: string }
    const read = (token: string) => gateway.call({ path: GUIDE, headers: { authorization: `Bearer ${token}` } })
    expect(await read(token)).toMatchObject({ status: 200, text: guideTextsOf(DEMO_LOGIN.clientId).markdown })
    expect((await read(`${token}x`)).status).toBe(401)
  },
)

test.each([
  ['its own token of v1', false],
  ['a token of the gateway', true],
])('a client that calls reads in its guide what it called, with %s, and nothing of others', async (_, hasLegacy) => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const gateway = await startGateway(sandbox.v1Url, {
    settings: { clientGuides: true },
    ...(hasLegacy && { legacyUrl: sandbox.legacyUrl ?? '' }),
  })
  const { text } = await gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
  const headers = { authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` }
  expect((await gateway.call({ path: '/api/invoice/list', headers, body: '{"isPayment":false}' })).status).toBe(200)
  await gateway.call({ path: '/api/currency', headers: { authorization: 'Bearer garbage' } })
  await expect
    .poll(async () => (await gateway.call({ path: `${GUIDE}?format=md`, headers })).text, {
      interval: 500,
    })
    .toContain('isPaid')
  const { status, text: guide } = await gateway.call({ path: `${GUIDE}?format=md`, headers })
  expect([status, guide]).toEqual([200, expect.stringContaining('demo-client')])
  expect(guide).not.toContain('/api/v1/shared/currencies')
})
