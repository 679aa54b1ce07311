import { setTimeout as wait } from 'node:timers/promises'
import type { BrownoutRule } from '../../../../src/control-plane/rollout/brownout-rule.ts'
import { brownoutRule } from '../../../support/brownout-rule.ts'
import { callLegacy } from '../../../support/legacy-client.ts'
import { type CutoverBed, type CutoverGateway, clientsBetween, rolloutOf, startCutoverBed } from './cutover-bed.ts'

/** The brake looks at most ten times a second. */
const PACE_MS = 25

/** Makes calls that v1 fails, of clients below 5 %, until legacy answers them again. Returns how many failed. */
export async function failUntilBraked(gateway: CutoverGateway): Promise<number> {
  const clients = clientsBetween(0, 5, 20)
  for (let failed = 0; failed < 100; failed++) {
    const { status } = await gateway.ask(clients[failed % clients.length] ?? '')
    if (status !== 500) return failed
    await wait(PACE_MS)
  }
  throw new Error('the brake did not go on')
}

/** Returns after how many ms a condition holds. */
export async function after(holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > 20_000) throw new Error('it did not happen')
    await wait(10)
  }
  return performance.now() - started
}

/** Starts a bed whose brownout began a minute ago and lasts for an hour. */
export function startBrownout(): Promise<CutoverBed> {
  const [from, to] = [-60_000, 3_600_000].map((later) => new Date(Date.now() + later).toISOString())
  const brownouts = [brownoutRule({ from, to } as Partial<BrownoutRule>)]
  return startCutoverBed({ ...rolloutOf(undefined), brownouts })
}

type At = Pick<CutoverGateway, 'adminUrl'>

const post = ({ adminUrl }: At, path: string, body: object): ReturnType<typeof callLegacy> =>
  callLegacy(adminUrl, { path, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

/** Gives an order to the plan. */
export const orderAt = (gateway: At, action: string, more: object = {}): ReturnType<typeof callLegacy> =>
  post(gateway, `/cutover/invoice-list/${action}`, { by: 'Ada', why: 'a test', ...more })

export const endBrownouts = (gateway: At): ReturnType<typeof callLegacy> =>
  post(gateway, '/brownouts/end', { by: 'Ada', why: 'a client cannot wait' })
