import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../../../src/control-plane/cutover/webhook/send-message.ts'
import { startHttpServer } from '../../../support/http-server.ts'
import { newSchema, sharedPostgres } from '../../../support/shared-postgres.ts'
import { type SideBySide, startSideBySide } from '../../../support/side-by-side.ts'
import type { Settings } from '../../../support/start-gateway.ts'
import { eventsAt } from '../support/comparing-fleet.ts'

const SOON = { interval: 10 }
const SECRET = 'sixteen-letters-'
const INVOICES = '/api/invoice/list'

interface Told {
  readonly event: string
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly why: string
}

/** At each gateway, compares a call that differs in one way, then one that differs in another; what the receiver and the audit are told is as expected. */
async function differ(start: (webhook: Settings['webhook']) => Promise<readonly SideBySide[]>) {
  const { url, received } = await startHttpServer((_, response) => response.end())
  const gateways = await start({ url: new URL(`${url}/hook`), secret: SECRET })
  const tellAll = async (member: string, messages: number): Promise<void> => {
    for (const gateway of gateways) {
      await gateway.plant('legacy', { path: INVOICES, kind: 'change', at: `data[0].${member}`, to: 'x', calls: 'all' })
      await gateway.call(INVOICES, {})
      await gateway.compared(1)
    }
    await expect.poll(() => received.length, SOON).toBeGreaterThanOrEqual(messages)
  }
  await tellAll('number', 2)
  await tellAll('company', 3)
  for (const { headers, body } of received) expect(headers['x-signature']).toBe(signatureOf(Buffer.from(body), SECRET))
  const told = received.map(({ body }) => JSON.parse(body) as Told)
  expect(told.map(({ event, from, to, why }) => [event, from, to, why])).toEqual(EXPECTED)
  expect(new Set(told.map(({ operation }) => operation))).toEqual(new Set(['invoice-list']))
  const events = told.map(({ event }) => event).toReversed()
  for (const gateway of gateways) expect(await eventsAt(gateway)).toEqual(events)
}

const NEW = 'answers differ in a way that counts and was not told before'
const EXPECTED = [
  ['verdict-changed', 'insufficient data', 'not ready', 'differences count: changed data[].number'],
  ['difference-new', '0 differences', '1 difference', `${NEW}: changed data[].number`],
  ['difference-new', '1 difference', '2 differences', `${NEW}: changed data[].company`],
]

const ROLLOUT = { operations: { 'invoice-list': { serve: 'legacy', shadow: 1 } } }

describe('what the evidence shows is sent once, in order, signed, without a plan', () => {
  it('with a state file', async () => {
    await differ(async (webhook) => [
      await startSideBySide(ROLLOUT, { settings: (folder) => ({ stateDb: join(folder, 'state.db'), webhook }) }),
    ])
  })

  const server = sharedPostgres()
  it.skipIf(server === undefined)('by two replicas with a database', async () => {
    if (server === undefined) return
    const postgres = { ...server.settings, schema: newSchema() }
    const tokenKeys = [randomBytes(32)]
    await differ(async (webhook) => {
      const settings = (replicaId: string) => () => ({ postgres, replicaId, tokenKeys, webhook })
      const one = await startSideBySide(ROLLOUT, { settings: settings('one') })
      return [one, await startSideBySide(ROLLOUT, { settings: settings('two') })]
    })
  })
})
