import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { type Ran, runCommand, uncoloured } from '../support/run-command.ts'
import { until } from '../support/start-gateway.ts'

/** It runs a program on a terminal of its own; Debian's package bsdutils has it. */
const hasTerminal = spawnSync('script', ['--version']).status === 0
/** Free ones. */
const PORTS = { PORT: '0', ADMIN_PORT: '0', SANDBOX_V1_PORT: '0', SANDBOX_LEGACY_PORT: '0' }
/** Nothing says how soon a process must serve, or must have ended. */
const PATIENCE_MS = 60_000

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly exit: Promise<number | null>
}

/** Starts `npm start`'s command, or npm itself, with free ports unless told. */
function start(env: Record<string, string>, command = ['node', 'src/cli/bin.js', 'serve']): Running {
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, { env: { ...uncoloured, HOST: '127.0.0.1', ...PORTS, ...env } })
  closeAtEnd(() => child.kill('SIGKILL'))
  let output = ''
  let errors = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => output, errors: () => errors, exit }
}

async function serving(running: Running): Promise<{ readonly legacy: string; readonly admin: string }> {
  const line = (): string | undefined =>
    running
      .output()
      .split('\n')
      .slice(0, -1)
      .find((text) => text.includes('"msg":"serving"'))
  await until(() => line() !== undefined, PATIENCE_MS)
  return JSON.parse(line() ?? '') as { legacy: string; admin: string }
}

/** One that cannot start, in this process. */
const refused = (env: Record<string, string>): Promise<Ran> =>
  runCommand(['serve'], { HOST: '127.0.0.1', ...PORTS, LOG_LEVEL: 'fatal', ...env })

/** A v1 that answers logins, each when it is told to. */
async function holdingV1() {
  const held: ServerResponse[] = []
  const { url } = await startHttpServer((_, response) => held.push(response))
  return {
    url,
    isAsked: (): Promise<void> => until(() => held.length > 0, PATIENCE_MS),
    answer() {
      for (const response of held.splice(0)) {
        response.setHeader('content-type', 'application/json')
        response.end('{"success":true,"message":"","data":{"token":"held"}}')
      }
    },
  }
}

/** Somebody listens there. */
const portInUse = async (): Promise<string> => new URL((await holdingV1()).url).port

/** Connections that clients keep are not waited for. */
const AT_ONCE = { DRAIN_MS: '0' }

const login = (legacy: string): Promise<Response> =>
  fetch(`${legacy}/auth/application`, { method: 'POST', body: '{"clientId":"demo-client","secretKey":"demo-secret"}' })

describe.concurrent('serve', { timeout: 90_000 }, () => {
  it('runs on the sandbox with nothing configured', async () => {
    const running = start({})
    const { legacy, admin } = await serving(running)
    expect(await (await login(legacy)).json()).toEqual({ token: expect.any(String) })
    expect((await fetch(`${admin}/healthz`)).status).toBe(200)
    expect((await fetch(`${admin}/readyz`)).status).toBe(200)
    // Where there is no terminal it writes its log alone.
    for (const line of running.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })

  it('answers the calls under way when it is stopped, and exits 0', async () => {
    const v1 = await holdingV1()
    const running = start({ V1_BASE_URL: v1.url, ...AT_ONCE })
    const { legacy } = await serving(running)
    const answer = login(legacy)
    await v1.isAsked()
    running.child.kill('SIGTERM')
    await until(() => running.output().includes('"msg":"stopping"'), PATIENCE_MS)
    v1.answer()
    expect(await (await answer).json()).toEqual({ token: 'held' })
    expect(await running.exit).toBe(0)
    expect(running.output()).toContain('"msg":"stopped"')
  })

  it('treats the two signals that a terminal and npm send as one', async () => {
    const v1 = await holdingV1()
    const running = start({ V1_BASE_URL: v1.url, ...AT_ONCE })
    const { legacy } = await serving(running)
    const answer = login(legacy)
    await v1.isAsked()
    running.child.kill('SIGINT')
    running.child.kill('SIGINT')
    await until(() => running.output().includes('"msg":"stopping"'), PATIENCE_MS)
    v1.answer()
    expect((await answer).status).toBe(200)
    expect(await running.exit).toBe(0)
  })

  it('stops when npm start is stopped', async () => {
    const running = start(AT_ONCE, ['npm', 'start'])
    const { legacy } = await serving(running)
    expect((await login(legacy)).status).toBe(200)
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    await expect(login(legacy)).rejects.toThrow()
  })

  it('names every variable that is wrong on stderr, and exits 1', async () => {
    const running = start({ PORT: 'x', LOG_LEVEL: 'loud' })
    expect(await running.exit).toBe(1)
    expect(running.errors()).toContain('PORT must be')
    expect(running.errors()).toContain('LOG_LEVEL must be')
    expect(running.errors()).not.toContain('    at ')
  })

  it('stops after the grace period even if v1 does not answer', async () => {
    const v1 = await holdingV1()
    const running = start({ V1_BASE_URL: v1.url, SHUTDOWN_GRACE_MS: '100', UPSTREAM_TIMEOUT_MS: '600000', ...AT_ONCE })
    const { legacy } = await serving(running)
    const answer = login(legacy).catch(() => 'cut off')
    await v1.isAsked()
    const asked = performance.now()
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    // Without it, the grace is 10 s.
    expect(performance.now() - asked).toBeLessThan(9_000)
    await answer
  })

  it('names both ports when both are in use, and exits 1', async () => {
    const [taken, adminTaken] = [await portInUse(), await portInUse()]
    const running = start({ PORT: taken, ADMIN_PORT: adminTaken })
    expect(await running.exit).toBe(1)
    expect(running.errors()).toMatch(/^ADMIN_HOST, ADMIN_PORT: /m)
    expect(running.errors()).toMatch(/^HOST, PORT: /m)
  })

  it.skipIf(!hasTerminal)('prints both addresses before its log on a terminal (with script)', async () => {
    const command = `${process.execPath} src/cli/legacy-gateway.ts serve`
    const running = start({ BASE_PATH: '/old' }, ['script', '-qefc', command, '/dev/null'])
    const { legacy, admin } = await serving(running)
    const [first, second, ...rest] = running.output().replaceAll('\r', '').split('\n')
    expect([first, second]).toEqual([`Legacy interface: ${legacy}/old`, `Dashboard:        ${admin}`])
    // Two of the lines were logged before anything listened.
    expect(rest.join('\n')).toMatch(
      /^\n\{.*the sandbox answers.*\}\n\{.*TOKEN_KEY is not set.*\}\n\{.*"msg":"serving"\}\n/,
    )
    expect((await fetch(`${legacy}/old/country/all`)).status).toBe(200)
  })

  it('warns when the removal date is past, and serves', async () => {
    const v1 = await startHttpServer((_, response) => response.end('{"success":true,"data":{"token":"x"}}'))
    const running = start({ V1_BASE_URL: v1.url, SUNSET: '2020-01-31' })
    const { legacy } = await serving(running)
    expect(running.output()).toMatch(
      /"level":40,.*"sunset":"2020-01-31T00:00:00\.000Z".*"msg":"SUNSET is in the past: /,
    )
    expect((await login(legacy)).headers.get('sunset')).toBe('Fri, 31 Jan 2020 00:00:00 GMT')
  })

  it('names the variables of the sandbox when that cannot start, without a stack', async () => {
    const taken = await portInUse()
    for (const env of [{ SANDBOX_V1_PORT: taken }, { SANDBOX_DB: '/no/such/folder/x.db' }]) {
      const { exit, errors } = await refused(env)
      expect(exit).toBe(1)
      expect(errors).toMatch(/^SANDBOX_V1_PORT, SANDBOX_LEGACY_PORT, SANDBOX_DB: /)
      expect(errors).not.toContain('    at ')
    }
  })

  it('reports at once all that keeps it from starting: a port in use, unknown operations in the rollout file, unwritable files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    const rolloutFile = join(folder, 'rollout.json')
    writeFileSync(rolloutFile, '{"operations":{"invoices":{},"*":{"shadow":2}}}')
    const { exit, errors } = await refused({
      ...{ PORT: await portInUse(), ROLLOUT_FILE: rolloutFile },
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
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'rollout.json'), '{"operations":{"invoices":{}}}')
    const { exit, errors } = await refused({
      PORT: 'x',
      MAX_BODY_BYTES: '-1',
      ROLLOUT_FILE: join(folder, 'rollout.json'),
    })
    expect(exit).toBe(1)
    for (const name of ['PORT must be', 'MAX_BODY_BYTES must be', 'ROLLOUT_FILE: operations.invoices']) {
      expect(errors).toContain(name)
    }
  })

  it.each([
    ['does not exist', undefined, 'FILE cannot be read (ENOENT)'],
    ['names an unknown operation', '{"operations":{"invoices":{}}}', 'operations.invoices: no such operation'],
  ])('refuses a rollout file that %s, and exits 1', async (_, text, why) => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    const rolloutFile = join(folder, 'rollout.json')
    if (text !== undefined) writeFileSync(rolloutFile, text)
    const { exit, errors } = await refused({ ROLLOUT_FILE: rolloutFile })
    expect(exit).toBe(1)
    expect(errors).toMatch(/^ROLLOUT_FILE: /)
    expect(errors).toContain(why.replace('FILE', rolloutFile))
  })

  it.each([
    ['SIGUSR2', 'an exception', 'uncaughtException'],
    ['SIGWINCH', 'a rejection', 'unhandledRejection'],
  ] as const)('logs an unexpected error with its stack, and exits 1 (%#)', async (signal, what, origin) => {
    const running = start({
      V1_BASE_URL: (await holdingV1()).url,
      NODE_OPTIONS: '--import ./test/support/fail-when-told.ts',
    })
    await serving(running)
    running.child.kill(signal)
    expect(await running.exit).toBe(1)
    const lines = running.output().trim().split('\n')
    const crash = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
    const err = { message: `${what} that nobody expects`, stack: expect.stringContaining('fail-when-told.ts') }
    expect(crash).toMatchObject({ level: 60, msg: 'crashed', origin, err })
  })

  it('names the port that is in use, and exits 1', async () => {
    const taken = await portInUse()
    for (const variable of ['PORT', 'ADMIN_PORT']) {
      const { exit, errors } = await refused({ [variable]: taken })
      expect(exit).toBe(1)
      expect(errors).toMatch(new RegExp(`${variable}: .*:${taken} is in use`))
    }
  })
})
