import { describe, expect, test } from 'vitest'
import { headerOf, statusOf } from '../../support/http-message.ts'
import { facesOf, logOf, type ServiceProcess, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { type Load, type LoadedCall, startBusyClients, startLoad } from '../../support/steady-load.ts'
import { wholeToken } from '../../support/whole-token.ts'

const CALLS_PER_SECOND = 200
/** How long the services behind take for every answer, so that there are always calls under way. */
const SLOW_MS = 150
const GRACE_MS = 10_000
/** A process that has had the bytes of a call for so long has read them, however busy the machine is. */
const SURELY_READ_MS = 500

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Serving {
  readonly gateway: ServiceProcess
  readonly legacy: string
  readonly admin: string
}

/** The gateway before a sandbox whose every answer takes so long, each in a process of its own. */
async function startServing(slowMs: number, graceMs = GRACE_MS): Promise<Serving> {
  const faces = await facesOf(startService('sandbox', {}))
  for (const face of [faces.v1, faces.legacy]) {
    const slow = { path: '*', kind: 'slow', ms: slowMs, calls: 'all' }
    await fetch(`${face}/sandbox/faults`, { method: 'POST', body: JSON.stringify(slow) })
  }
  const services = { V1_BASE_URL: faces.v1, LEGACY_BASE_URL: faces.legacy, SERVE: 'v1' }
  const env = { ...services, SHUTDOWN_GRACE_MS: `${graceMs}` }
  const gateway = startService('serve', env)
  return { gateway, ...(await servingAt(gateway)) }
}

const LOGIN = '{"clientId":"demo-client","secretKey":"demo-secret"}'

const logIn = (legacy: string): Promise<string> =>
  wholeToken(async () => {
    const answer = await fetch(`${legacy}/auth/application`, { method: 'POST', body: LOGIN })
    return { text: await answer.text() }
  })

/** Lists, lists that are kept, calculations, logins, and what is passed on, in turn. */
function requests(token: string): (id: string, number: number) => string {
  const calls = [
    ['POST /api/invoice/list', '{"perPage":5}'],
    ['GET /country/all', ''],
    ['POST /api/calculate/price', '{"packages":[]}'],
    ['POST /auth/application', LOGIN],
    ['POST /api/transaction/charge/list', '{}'],
  ] as const
  return (id, number) => {
    const [route, body] = calls[number % calls.length] ?? calls[0]
    const headers = ['Host: gateway', `X-Request-Id: ${id}`, `Authorization: Bearer ${token}`]
    return [`${route} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n')
  }
}

/** What `/readyz` answers, again and again, until it answers no longer. */
async function watchReadiness(admin: string): Promise<readonly number[]> {
  const statuses: number[] = []
  for (;;) {
    const status = await fetch(`${admin}/readyz`).then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === undefined) return statuses
    statuses.push(status)
    await wait(20)
  }
}

/** A load on its way, the gateway told to stop in the middle of it, and what its clients saw. */
async function stopUnder(load: Load, gateway: ServiceProcess) {
  await wait(2_000)
  const stoppedAt = performance.now()
  gateway.child.kill('SIGTERM')
  const exit = await gateway.exit
  const exitedAt = performance.now()
  await load.stop()
  /**
   * Accepted is whatever the gateway has logged, whatever it has begun to answer, and whatever was written so long before
   * the signal that it must have been read. Anything else came too late: nothing was read of it.
   */
  const logged = new Set(logOf(gateway).map(({ requestId }) => requestId))
  const isAccepted = ({ id, bytes, writtenAt = exitedAt }: LoadedCall): boolean =>
    logged.has(id) || bytes > 0 || writtenAt < stoppedAt - SURELY_READ_MS
  const accepted = load.calls.filter(isAccepted)
  return {
    exit,
    stoppedAfterMs: exitedAt - stoppedAt,
    lost: accepted.filter(({ answer }) => answer === undefined),
    statuses: new Set(accepted.flatMap(({ answer }) => (answer === undefined ? [] : [statusOf(answer)]))),
    late: load.calls.filter((call) => !isAccepted(call)),
    /** Made before the signal and answered after it, not on the very edge. */
    underWay: accepted.filter(({ writtenAt = exitedAt, endedAt }) => writtenAt < stoppedAt && endedAt > stoppedAt + 20),
  }
}

describe('a gateway that is stopped under load', () => {
  test('answers every call that it has accepted, is not ready meanwhile, and exits 0', {
    timeout: 60_000,
  }, async () => {
    const { gateway, legacy, admin } = await startServing(SLOW_MS)
    const readiness = watchReadiness(admin)
    const load = startLoad(legacy, CALLS_PER_SECOND, requests(await logIn(legacy)))
    const { exit, stoppedAfterMs, lost, statuses, late, underWay } = await stopUnder(load, gateway)
    expect(exit).toBe(0)
    expect(lost).toEqual([])
    expect(statuses).toEqual(new Set([200, 400]))
    expect(underWay.filter(({ isKept }) => isKept).length).toBeGreaterThan(2)
    expect(underWay.filter(({ isKept }) => !isKept).length).toBeGreaterThan(2)
    expect(late.length).toBeGreaterThan(0)
    expect(stoppedAfterMs).toBeLessThan(GRACE_MS)
    const ready = await readiness
    expect(ready[0]).toBe(200)
    expect(ready.at(-1)).toBe(503)
  })

  test('stops although clients never pause, and loses none of their calls', {
    timeout: 60_000,
  }, async () => {
    // Each client makes a few calls within the grace: too few for every connection to be found idle by chance.
    const graceMs = 6_000
    const { gateway, legacy } = await startServing(1_000, graceMs)
    const load = startBusyClients(legacy, 40, requests(await logIn(legacy)))
    const { exit, stoppedAfterMs, lost, underWay } = await stopUnder(load, gateway)
    expect(exit).toBe(0)
    expect(lost).toEqual([])
    expect(stoppedAfterMs).toBeLessThan(graceMs)
    expect(underWay.length).toBeGreaterThan(2)
    // Whoever is answered behind the signal is told not to use the connection again.
    expect(underWay.filter(({ answer }) => answer && headerOf(answer, 'connection') !== 'close')).toEqual([])
  })

  test('exits at once on a second signal more than a second later', async () => {
    const { gateway, legacy } = await startServing(60_000)
    const answer = fetch(`${legacy}/auth/application`, { method: 'POST', body: LOGIN }).catch(() => 'cut off')
    await wait(200)
    gateway.child.kill('SIGTERM')
    await until(() => logOf(gateway).some(({ msg }) => msg === 'stopping'))
    await wait(1_100)
    expect(gateway.child.exitCode).toBeNull()
    const stoppedAt = performance.now()
    gateway.child.kill('SIGTERM')
    expect(await gateway.exit).toBe(143)
    expect(performance.now() - stoppedAt).toBeLessThan(GRACE_MS / 2)
    expect(await answer).toBe('cut off')
  })
})
