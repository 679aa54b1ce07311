import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { statusOf } from '../../support/http-message.ts'
import { isInstalled, startPostgres } from '../../support/postgres.ts'
import { facesOf, logOf, type ServiceProcess, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { type Load, type LoadedCall, startLoad } from '../../support/steady-load.ts'
import { wholeToken } from '../../support/whole-token.ts'
import { makeFolder } from '../start-program.ts'

const CALLS_PER_SECOND = 50
/** Longer than any call takes on a busy machine, shorter than a control plane is away. */
const MOST_MS = 1_500
const LOGIN = '{"clientId":"demo-client","secretKey":"demo-secret"}'

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

interface Bed {
  readonly gateway: ServiceProcess
  readonly legacy: string
  readonly admin: string
  /** How long the gateway took to start; ms: on a busy machine, everything takes longer. */
  readonly startMs: number
  /** The v1 behind it. */
  readonly v1: string
  /** Calls of half of its clients are answered by v1, and all are compared. */
  readonly load: Load
  /** Makes the control plane do this. */
  plant(fault: 'end' | 'hang' | 'memory' | 'slow'): void
  rollout(rollout: object): void
  readyz(): Promise<Readonly<Record<string, unknown>>>
  metric(name: string): Promise<number | undefined>
  /** Resolves once calls are answered. */
  answers(): Promise<void>
  /** How many calls for invoices have been compared, or could not be. */
  compared(): Promise<number>
}

/** A gateway in a process of its own, with calls under way. */
async function startBed(
  rollout: object = { operations: { '*': { serve: 'v1', shadow: 1 } } },
  more: Readonly<Record<string, string>> = {},
): Promise<Bed> {
  const folder = makeFolder()
  const [faultFile, rolloutFile] = [join(folder, 'fault'), join(folder, 'rollout.json')]
  const writeRollout = (next: object): void => {
    writeFileSync(`${rolloutFile}.new`, JSON.stringify(next))
    renameSync(`${rolloutFile}.new`, rolloutFile)
  }
  writeRollout(rollout)
  const faces = await facesOf(startService('sandbox', {}))
  const gateway = startService('serve', {
    ...{ V1_BASE_URL: faces.v1, LEGACY_BASE_URL: faces.legacy, ROLLOUT_FILE: rolloutFile },
    ...{ STATE_DB: join(folder, 'state.db'), FAULT_FILE: faultFile },
    // So that its memory is used up soon.
    NODE_OPTIONS: `--max-old-space-size=512 --import ${new URL('../../support/control-plane-faults.ts', import.meta.url).href}`,
    ...more,
  })
  const began = performance.now()
  const { legacy, admin } = await servingAt(gateway)
  const startMs = performance.now() - began
  const token = await wholeToken(async () => {
    const answer = await fetch(`${legacy}/auth/application`, { method: 'POST', body: LOGIN })
    return { text: await answer.text() }
  })
  const call = 'POST /api/invoice/list HTTP/1.1'
  const body = '{"perPage":5}'
  const load = startLoad(legacy, CALLS_PER_SECOND, (id) =>
    [
      ...[call, 'Host: gateway', `X-Request-Id: ${id}`, `Authorization: Bearer ${token}`],
      ...[`Content-Length: ${body.length}`, '', body],
    ].join('\r\n'),
  )
  const metrics = async (): Promise<string> => (await fetch(`${admin}/metrics`)).text()
  return {
    ...{ gateway, legacy, admin, startMs, v1: faces.v1, load, rollout: writeRollout },
    plant(fault) {
      writeFileSync(`${faultFile}.new`, fault)
      renameSync(`${faultFile}.new`, faultFile)
    },
    answers: () => until(() => load.calls.some(({ answer }) => answer !== undefined)),
    readyz: async () => (await fetch(`${admin}/readyz`)).json() as Promise<Readonly<Record<string, unknown>>>,
    async compared() {
      const experiments = (await (await fetch(`${admin}/experiments`)).json()) as {
        readonly operations: readonly { readonly operation: string; readonly totals: { readonly requests: number } }[]
      }
      return experiments.operations.find(({ operation }) => operation === 'invoice-list')?.totals.requests ?? 0
    },
    async metric(name) {
      const line = (await metrics()).split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? undefined : Number(line.slice(name.length + 1))
    },
  }
}

const says = ({ gateway }: Bed, message: RegExp) => logOf(gateway).find(({ msg }) => message.test(String(msg)))

const failed = (calls: readonly LoadedCall[]) =>
  calls.filter(({ answer }) => answer === undefined || statusOf(answer) !== 200)
const slow = (calls: readonly LoadedCall[]) =>
  calls.filter(({ writtenAt = 0, endedAt }) => endedAt - writtenAt > MOST_MS)

describe('a control plane that', () => {
  test.each(['end', 'memory'] as const)(
    'ends (%s) takes no call along, and is back after a second and twice the time of a start',
    {
      timeout: 60_000,
    },
    async (fault) => {
      const bed = await startBed()
      await until(async () => bed.load.calls.length > CALLS_PER_SECOND && (await bed.compared()) > 0)
      const stored = await bed.compared()
      // Results are stored once a second.
      await wait(1_500)
      bed.plant(fault)
      await until(() => says(bed, /control plane has ended/) !== undefined)
      await until(() => says(bed, /control plane is back/) !== undefined)
      const [ended, back] = [says(bed, /control plane has ended/), says(bed, /control plane is back/)]
      expect(Number(back?.time) - Number(ended?.time)).toBeLessThan(1_000 + 2 * bed.startMs)
      await wait(1_000)
      await bed.load.stop()
      expect(bed.load.calls.length).toBeGreaterThan(2 * CALLS_PER_SECOND)
      expect(failed(bed.load.calls)).toEqual([])
      expect(slow(bed.load.calls)).toEqual([])
      expect(await bed.readyz()).toMatchObject({ status: 'ready', controlPlane: { restarts: 1 } })
      expect(await bed.metric('legacy_gateway_control_plane_restarts_total')).toBe(1)
      expect(await (await fetch(`${bed.admin}/`)).text()).toContain('was started again')
      // What was compared before is still there, but for what was not stored.
      expect(await bed.compared()).toBeGreaterThanOrEqual(stored)
    },
  )

  test('hangs is ended after ten seconds, and no call waits meanwhile', { timeout: 90_000 }, async () => {
    const bed = await startBed()
    await bed.answers()
    bed.plant('hang')
    await until(() => says(bed, /control plane is back/) !== undefined, 60_000)
    expect(says(bed, /control plane has ended/)?.why).toMatch(/did not answer for 10 s/)
    await bed.load.stop()
    expect(bed.load.calls.length).toBeGreaterThan(8 * CALLS_PER_SECOND)
    expect(failed(bed.load.calls)).toEqual([])
    expect(slow(bed.load.calls)).toEqual([])
  })

  test('is away keeps the last decisions in force, also where the rollout file can no longer be read', {
    timeout: 60_000,
  }, async () => {
    const bed = await startBed({ operations: { 'invoice-list': { serve: 'legacy' } } })
    await bed.answers()
    bed.rollout({ operations: 'no longer a rollout' })
    await wait(1_500)
    bed.plant('end')
    await until(() => says(bed, /cannot be started: it is tried every second/) !== undefined)
    const before = bed.load.calls.length
    await wait(2_000)
    expect(bed.load.calls.length).toBeGreaterThan(before)
    bed.rollout({ operations: { 'invoice-list': { serve: 'v1' } } })
    await until(() => says(bed, /control plane is back/) !== undefined)
    await bed.load.stop()
    expect(failed(bed.load.calls)).toEqual([])
    const sides = logOf(bed.gateway).flatMap(({ operation, answeredBy }) =>
      operation === 'invoice-list' ? [answeredBy] : [],
    )
    expect(sides.slice(0, before - 20)).toEqual(Array(before - 20).fill('legacy'))
  })
})

test('a page that takes three seconds holds up no call', { timeout: 60_000 }, async () => {
  const bed = await startBed()
  await bed.answers()
  bed.plant('slow')
  await wait(200)
  const before = performance.now()
  expect((await bed.readyz()).status).toBe('ready')
  // The admin port did wait.
  expect(performance.now() - before).toBeGreaterThan(1_000)
  await bed.load.stop()
  expect(failed(bed.load.calls)).toEqual([])
  expect(slow(bed.load.calls)).toEqual([])
})

test('a brake comes within five seconds of a v1 that fails', { timeout: 60_000 }, async () => {
  const plan = { steps: [100], calls: 1, minutes: 0, withoutVerdict: 'a test' }
  const bed = await startBed({ operations: { 'invoice-list': { serve: 'legacy', plan } } })
  const answeredBy = () => logOf(bed.gateway).findLast(({ operation }) => operation === 'invoice-list')?.answeredBy
  await until(() => answeredBy() === 'v1')
  await wait(1_000)
  const fault = { path: '/api/v1/finance/invoices', kind: 'status', status: 500, calls: 'all' }
  const planted = await fetch(`${bed.v1}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) })
  expect(planted.ok, await planted.text()).toBe(true)
  const began = performance.now()
  await until(() => answeredBy() === 'legacy')
  expect(performance.now() - began).toBeLessThan(5_000)
  await bed.load.stop()
})

test.skipIf(!isInstalled)(
  'a control plane that is started again while its database hangs leaves each plan where it was (with postgresql)',
  { timeout: 90_000 },
  async () => {
    const server = await startPostgres()
    const plan = { steps: [100], calls: 1, minutes: 0, withoutVerdict: 'a test' }
    const bed = await startBed(
      { operations: { 'invoice-list': { serve: 'legacy', plan } } },
      { STATE_DB: server.url, TOKEN_KEY: Buffer.alloc(32, 7).toString('base64') },
    )
    const answerers = () =>
      logOf(bed.gateway).flatMap(({ operation, answeredBy }) => (operation === 'invoice-list' ? [answeredBy] : []))
    await until(() => answerers().at(-1) === 'v1')
    await wait(1_500)
    server.pause()
    onTestFinished(server.resume)
    const before = answerers().length
    bed.plant('end')
    await until(() => says(bed, /control plane is back/) !== undefined)
    await wait(1_000)
    server.resume()
    await bed.load.stop()
    expect(new Set(answerers().slice(before))).toEqual(new Set(['v1']))
    expect(failed(bed.load.calls)).toEqual([])
  },
)

test('a gateway that is told to stop stores what it has found', { timeout: 60_000 }, async () => {
  const bed = await startBed()
  await until(() => bed.load.calls.length > 2 * CALLS_PER_SECOND)
  await bed.load.stop()
  const before = bed.load.calls.filter(({ answer }) => answer !== undefined).length
  bed.gateway.child.kill('SIGTERM')
  expect(await bed.gateway.exit).toBe(0)
  expect(before).toBeGreaterThan(CALLS_PER_SECOND)
  expect(logOf(bed.gateway).at(-1)?.msg).toBe('stopped')
})
