import { describe, expect, it } from 'vitest'
import { startSandbox } from '../../../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../../../support/clean-up.ts'
import { type Received, startHttpServer } from '../../../support/http-server.ts'
import { type SideBySide, startSideBySide } from '../../../support/side-by-side.ts'
import { clientsBetween, QUICK } from '../support/cutover-bed.ts'

const SOON = { interval: 20, timeout: 20_000 }
const CALLS = 220
/** So many calls at once take the tests little time. */
const MANY = 55
/** Longer than the plan allows where legacy answers at once. */
const LONG_MS = 600

/** A client whose calls v1 answers at the first step. */
const [drawn = ''] = clientsBetween(0, 5, 1)

/** A service in front of a face of the sandbox, which takes its time for calls of the demo client and of the one that is drawn. */
async function startSlow(face: string, delayMs: () => number): Promise<string> {
  const isSlow = ({ headers: { authorization = '' }, target }: Received): boolean =>
    target.includes('invoice') && (!authorization.startsWith('Bearer client-') || authorization === `Bearer ${drawn}`)
  const { url } = await startHttpServer(async (request, response) => {
    const { method, target, headers, body } = request
    const { 'accept-language': language = '', 'content-type': type = 'application/json', authorization } = headers
    const sent = { 'accept-language': language, 'content-type': type, ...(authorization && { authorization }) }
    // At the end of the test, the sandbox is gone first.
    const answer = await fetch(face + target, { method, headers: sent, ...(body !== '' && { body }) }).catch(() => null)
    if (answer === null) return void response.destroy()
    const text = await answer.text()
    const answerNow = (): void => {
      if (!response.destroyed) {
        response
          .writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
          .end(text)
      }
    }
    if (isSlow(request)) setTimeout(answerNow, delayMs())
    else answerNow()
  })
  return url
}

/**
 * A gateway at the first step of a plan, with one client of v1 whose calls take as long as this.
 * @param who says in the rollout file why v1 answers that client.
 */
async function startAtFirstStep(
  shadow: number,
  delay: { v1: number; legacy: number },
  who: object = { clients: { 'demo-client': 'v1' } },
): Promise<SideBySide> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const side = await startSideBySide(
    {
      operations: {
        'invoice-list': {
          ...{ serve: 'legacy', shadow, ...who },
          plan: { steps: [5, 50], ...QUICK, calls: 10_000 },
        },
      },
      limits: { concurrency: MANY },
    },
    {
      v1Url: await startSlow(sandbox.v1Url, () => delay.v1),
      legacyUrl: await startSlow(sandbox.legacyUrl ?? '', () => delay.legacy),
      settings: (folder) => ({ stateDb: `${folder}/state.db` }),
    },
  )
  await expect.poll(() => stateOf(side), SOON).toMatchObject({ percent: 5 })
  return side
}

const stateOf = async ({ adminUrl }: SideBySide) => {
  const [plan] = (await (await fetch(`${adminUrl}/cutover`)).json()) as readonly {
    readonly [member: string]: unknown
  }[]
  return plan
}

/** Few calls at once: legacy answers them quickly on a busy machine too. */
const FEW = 2

/** Makes calls as a client, some at once, and returns who answered the last one. */
async function callOften({ gateway }: SideBySide, token: string, atOnce: number, more = {}): Promise<unknown> {
  const call = { path: '/api/invoice/list', body: '{}', headers: { authorization: `Bearer ${token}`, ...more } }
  for (let made = 0; made < CALLS; made += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => gateway.call(call)))
  }
  return gateway.log.findLast(({ msg }) => msg === 'call')?.answeredBy
}

const [other = ''] = clientsBetween(50, 100, 1)

describe('a client of v1 whose calls take long', () => {
  it('does not trip the brake where they take legacy as long, and calls are compared', async () => {
    const side = await startAtFirstStep(1, { v1: LONG_MS, legacy: LONG_MS })
    expect(await callOften(side, other, FEW)).toBe('legacy')
    expect(await callOften(side, side.token, MANY)).toBe('v1')
    await side.compared(CALLS)
    expect(await stateOf(side)).toMatchObject({ state: 'running', percent: 5 })
  }, 60_000)

  it('trips it where nothing is compared', async () => {
    const side = await startAtFirstStep(0, { v1: LONG_MS, legacy: LONG_MS })
    expect(await callOften(side, other, FEW)).toBe('legacy')
    await callOften(side, side.token, MANY)
    await expect
      .poll(() => stateOf(side), SOON)
      .toMatchObject({ state: 'stopped', why: expect.stringContaining('p95') })
  }, 60_000)

  it('trips it where only v1 takes long', async () => {
    // Twice as long, and fewer at once: on a busy machine legacy is slow for many too, and must not be an excuse.
    const side = await startAtFirstStep(1, { v1: 2 * LONG_MS, legacy: 0 })
    expect(await callOften(side, other, FEW)).toBe('legacy')
    await callOften(side, side.token, 20)
    await expect.poll(() => stateOf(side), SOON).toMatchObject({ state: 'stopped' })
  }, 60_000)

  it('does not trip it where that client has chosen v1 by header, though legacy answers at once', async () => {
    const side = await startAtFirstStep(1, { v1: LONG_MS, legacy: 0 }, { mayChoose: ['demo-client'] })
    expect(await callOften(side, other, FEW)).toBe('legacy')
    expect(await callOften(side, side.token, MANY, { 'x-gateway-serve': 'v1' })).toBe('v1')
    await side.compared(CALLS)
    expect(await stateOf(side)).toMatchObject({ state: 'running', percent: 5, calls: 0 })
  }, 60_000)

  it('excuses no v1 that is slow for others, by calls for which it has chosen v1 and legacy takes as long', async () => {
    const side = await startAtFirstStep(1, { v1: LONG_MS, legacy: LONG_MS }, { mayChoose: ['demo-client'] })
    expect(await callOften(side, side.token, MANY, { 'x-gateway-serve': 'v1' })).toBe('v1')
    await side.compared(CALLS)
    expect(await callOften(side, other, FEW)).toBe('legacy')
    await callOften(side, drawn, MANY)
    await expect
      .poll(() => stateOf(side), SOON)
      .toMatchObject({ state: 'stopped', why: expect.stringContaining('p95') })
  }, 60_000)
})
