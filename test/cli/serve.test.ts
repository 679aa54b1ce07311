import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { logInAt, startHoldingV1 } from '../support/holding-v1.ts'
import { type Ran, runCommand } from '../support/run-command.ts'
import { logOf, type ServiceProcess, servingAt, startService } from '../support/service-process.ts'
import { until } from '../support/start-gateway.ts'

/** Free ones. */
const PORTS = { PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }

/** One that cannot start, in this process. */
const refused = (env: Record<string, string>): Promise<Ran> =>
  runCommand(['serve'], { HOST: '127.0.0.1', ...PORTS, LOG_LEVEL: 'fatal', ...env })

/** Somebody listens there. */
const portInUse = async (): Promise<string> => new URL((await startHoldingV1()).url).port

function rolloutFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'))
  closeAtEnd(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'rollout.json')
  writeFileSync(file, text)
  return file
}

describe('serve with nothing configured', () => {
  let running: ServiceProcess
  let at: Awaited<ReturnType<typeof servingAt>>
  beforeAll(async () => {
    running = startService('serve', { NODE_OPTIONS: '--import ./test/support/fail-when-told.ts' })
    at = await servingAt(running)
  })

  it('runs on the sandbox', async () => {
    expect(await (await logInAt(at.legacy)).json()).toEqual({ token: expect.any(String) })
    expect((await fetch(`${at.admin}/healthz`)).status).toBe(200)
    expect((await fetch(`${at.admin}/readyz`)).status).toBe(200)
    // Where there is no terminal it writes its log alone.
    for (const line of logOf(running)) expect(line).toHaveProperty('msg')
  })

  it('logs an unexpected error with its stack, and exits 1', async () => {
    running.child.kill('SIGUSR2')
    expect(await running.exit).toBe(1)
    const err = { message: 'an exception that nobody expects', stack: expect.stringContaining('fail-when-told.ts') }
    expect(logOf(running).at(-1)).toMatchObject({ level: 60, msg: 'crashed', origin: 'uncaughtException', err })
  })
})

describe('serve in front of v1', () => {
  let v1: Awaited<ReturnType<typeof startHoldingV1>>
  let running: ServiceProcess
  let legacy: string
  beforeAll(async () => {
    v1 = await startHoldingV1()
    // Connections that clients keep are not waited for.
    running = startService('serve', { V1_BASE_URL: v1.url, SUNSET: '2020-01-31', DRAIN_MS: '0' })
    legacy = (await servingAt(running)).legacy
  })

  it('warns when the removal date is past, and serves', async () => {
    const warned = { level: 40, sunset: '2020-01-31T00:00:00.000Z' }
    const msg = expect.stringMatching(/^SUNSET is in the past: /)
    expect(logOf(running)).toContainEqual(expect.objectContaining({ ...warned, msg }))
    const answer = logInAt(legacy)
    await v1.isAsked()
    v1.answer()
    expect((await answer).headers.get('sunset')).toBe('Fri, 31 Jan 2020 00:00:00 GMT')
  })

  it('answers the calls under way when it is stopped, and exits 0', async () => {
    const answer = logInAt(legacy)
    await v1.isAsked()
    running.child.kill('SIGTERM')
    await until(() => running.output().includes('"msg":"stopping"'))
    v1.answer()
    expect(await (await answer).json()).toEqual({ token: 'held' })
    expect(await running.exit).toBe(0)
    expect(running.output()).toContain('"msg":"stopped"')
  })
})

describe('serve that cannot start', () => {
  it('names every variable that is wrong on stderr, and exits 1', async () => {
    const { exit, errors } = await refused({ PORT: 'x', LOG_LEVEL: 'loud' })
    expect(exit).toBe(1)
    expect(errors).toContain('PORT must be')
    expect(errors).toContain('LOG_LEVEL must be')
    expect(errors).not.toContain('    at ')
  })

  it('names the port that is in use, or both, and exits 1', async () => {
    const [taken, adminTaken] = [await portInUse(), await portInUse()]
    const v1 = { V1_BASE_URL: 'http://127.0.0.1:9' }
    const one = await refused({ ...v1, PORT: taken })
    expect([one.exit, one.errors]).toEqual([1, expect.stringMatching(new RegExp(`^HOST, PORT: .*:${taken} is in use`))])
    const both = await refused({ ...v1, PORT: taken, ADMIN_PORT: adminTaken })
    expect(both.exit).toBe(1)
    expect(both.errors).toMatch(new RegExp(`^ADMIN_HOST, ADMIN_PORT: .*:${adminTaken} is in use`, 'm'))
    expect(both.errors).toMatch(new RegExp(`^HOST, PORT: .*:${taken} is in use`, 'm'))
  })

  it('names the variables of the sandbox when that cannot start, without a stack', async () => {
    const taken = await portInUse()
    for (const [variables, env] of [
      ['HOST, SANDBOX_V1_PORT', { SANDBOX_V1_PORT: taken }],
      ['HOST, SANDBOX_LEGACY_PORT', { SANDBOX_LEGACY_PORT: taken }],
      ['SANDBOX_DB', { SANDBOX_DB: '/no/such/folder/x.db' }],
    ] as const) {
      const { exit, errors } = await refused(env)
      expect(exit).toBe(1)
      expect(errors).toMatch(new RegExp(`^${variables}: Sandbox `))
      expect(errors).not.toContain('    at ')
    }
  })

  it('reports at once all that keeps it from starting: a port in use, unknown operations in the rollout file, unwritable files', async () => {
    const { exit, errors } = await refused({
      ...{ PORT: await portInUse(), ROLLOUT_FILE: rolloutFile('{"operations":{"invoices":{},"*":{"shadow":2}}}') },
      ...{ STATE_DB: '/no/such/folder/state.db', RECORD_FILE: '/no/such/folder/traffic.ndjson' },
    })
    expect(exit).toBe(1)
    const lines = errors.trim().split('\n')
    expect([...new Set(lines.map((line) => line.split(':')[0]))].sort()).toEqual([
      'HOST, PORT',
      'RECORD_FILE',
      'ROLLOUT_FILE',
      'STATE_DB',
    ])
    expect(errors).toContain('operations.invoices: no such operation')
    expect(errors).toContain('operations.*.shadow')
  })

  it('reports mistakes in the rollout file along with those in variables', async () => {
    const { exit, errors } = await refused({
      PORT: 'x',
      MAX_BODY_BYTES: '-1',
      ROLLOUT_FILE: rolloutFile('{"operations":{"invoices":{}}}'),
    })
    expect(exit).toBe(1)
    for (const name of ['PORT must be', 'MAX_BODY_BYTES must be', 'ROLLOUT_FILE: operations.invoices']) {
      expect(errors).toContain(name)
    }
  })

  it('names a rollout file that does not exist, and exits 1', async () => {
    const { exit, errors } = await refused({ ROLLOUT_FILE: '/no/such/rollout.json' })
    expect(exit).toBe(1)
    expect(errors).toMatch(/^ROLLOUT_FILE: \/no\/such\/rollout\.json cannot be read: no such file or directory/)
  })
})
