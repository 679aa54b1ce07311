import { expect } from 'vitest'
import type {
  BrownoutReport,
  BrownoutsReport,
} from '../../../../src/control-plane/cutover/brownout/current-brownouts.ts'
import { brownoutRule } from '../../../support/brownout-rule.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { DEMO_LOGIN } from '../../../support/side-by-side.ts'
import { wholeToken } from '../../../support/whole-token.ts'
import { type CutoverBed, type CutoverGateway, rolloutOf } from '../support/cutover-bed.ts'

/** As long as a busy machine may take. */
export const PATIENCE = { timeout: 20_000, interval: 10 }

/** Returns the token of the demo client. */
export const login = (gateway: CutoverGateway): Promise<string> =>
  wholeToken(() => gateway.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) }))

/** Begins a brownout of invoices, which lasts for an hour. Resolves when it is in effect at these gateways. */
export async function beginBrownout(bed: CutoverBed, ...gateways: readonly CutoverGateway[]): Promise<void> {
  const [from, to] = [0, 3_600_000].map((later) => new Date(Date.now() + later).toISOString())
  bed.write({
    ...rolloutOf(undefined),
    brownouts: [brownoutRule({ operations: ['invoice-list'], from, to } as object)],
  })
  // Calls of another client, so that those of the first can be told.
  for (const gateway of gateways) {
    await expect.poll(async () => (await gateway.ask('nobody')).status, PATIENCE).toBe(503)
  }
}

/** What the gateway says of its brownouts. */
export const report = async ({ adminUrl }: CutoverGateway): Promise<BrownoutsReport> =>
  JSON.parse((await callLegacy(adminUrl, { path: '/brownouts' })).text)

/** The calls of the client that logged in; of a busy machine, after a while. */
export const shows = (gateway: CutoverGateway, calls: Partial<BrownoutReport['clients'][number]>): Promise<void> =>
  expect
    .poll(async () => (await report(gateway)).brownouts[0]?.clients, PATIENCE)
    .toEqual([expect.objectContaining({ client: 'demo-client', ...calls })])

/** Calls for invoices. Returns the statuses. */
export async function statuses(gateway: CutoverGateway, token: string, calls: number): Promise<readonly number[]> {
  const all: number[] = []
  for (let call = 0; call < calls; call++) all.push((await gateway.ask(token)).status)
  return all
}
