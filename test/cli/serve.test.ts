import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'

/** It runs a program on a terminal of its own; Debian's package bsdutils has it. */
const hasTerminal = spawnSync('script', ['--version']).status === 0
const children: ChildProcess[] = []
const servers: Server[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
})

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  readonly exit: Promise<number | null>
}

/** Starts `npm start`'s command, or npm itself, with free ports unless told. */
function start(env: Record<string, string>, command = ['node', 'src/cli/bin.js', 'serve']): Running {
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
      SANDBOX_V1_PORT: '0',
      SANDBOX_LEGACY_PORT: '0',
      ...env,
    },
  })
  children.push(child)
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
  await expect.poll(running.output, { timeout: 10_000 }).toContain('"msg":"serving"')
  const line =
    running
      .output()
      .split('\n')
      .find((text) => text.includes('"msg":"serving"')) ?? ''
  return JSON.parse(line) as { legacy: string; admin: string }
}

/** A v1 that answers the login after a while. */
async function slowV1(milliseconds: number): Promise<string> {
  const server = createServer((_, response) => {
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end('{"success":true,"message":"","data":{"token":"slow"}}')
    }, milliseconds)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const login = (legacy: string): Promise<Response> =>
  fetch(`${legacy}/auth/application`, { method: 'POST', body: '{"clientId":"demo-client","secretKey":"demo-secret"}' })

describe('serve', () => {
  it('runs on the sandbox with nothing configured', async () => {
    const running = start({})
    const { legacy, admin } = await serving(running)
    expect(await (await login(legacy)).json()).toEqual({ token: expect.any(String) })
    expect((await fetch(`${admin}/healthz`)).status).toBe(200)
    expect((await fetch(`${admin}/readyz`)).status).toBe(200)
  })

  it('answers what is under way when it is told to stop, and exits 0', async () => {
    const running = start({ V1_BASE_URL: await slowV1(400) })
    const { legacy } = await serving(running)
    const answer = login(legacy)
    await new Promise((resolve) => setTimeout(resolve, 100))
    running.child.kill('SIGTERM')
    expect(await (await answer).json()).toEqual({ token: 'slow' })
    expect(await running.exit).toBe(0)
    expect(running.output()).toContain('"msg":"stopped"')
  })

  it('takes the signals that a terminal and npm send for one', async () => {
    const running = start({ V1_BASE_URL: await slowV1(300) })
    const { legacy } = await serving(running)
    const answer = login(legacy)
    await new Promise((resolve) => setTimeout(resolve, 100))
    running.child.kill('SIGINT')
    running.child.kill('SIGINT')
    expect((await answer).status).toBe(200)
    expect(await running.exit).toBe(0)
  })

  it('stops when npm start is told to', async () => {
    const running = start({}, ['npm', 'start'])
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

  it('stops when the grace is over, though v1 does not answer', async () => {
    const running = start({ V1_BASE_URL: await slowV1(60_000), SHUTDOWN_GRACE_MS: '300' })
    const { legacy } = await serving(running)
    const answer = login(legacy).catch(() => 'cut off')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const asked = performance.now()
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    expect(performance.now() - asked).toBeLessThan(3_000)
    await answer
  })

  it('says of both ports that they are in use, and exits 1', async () => {
    const [taken, adminTaken] = [new URL(await slowV1(0)).port, new URL(await slowV1(0)).port]
    const running = start({ PORT: taken, ADMIN_PORT: adminTaken })
    expect(await running.exit).toBe(1)
    expect(running.errors()).toMatch(/^ADMIN_HOST, ADMIN_PORT: /m)
    expect(running.errors()).toMatch(/^HOST, PORT: /m)
  })

  it.skipIf(!hasTerminal)('tells a terminal the two addresses before its log (with script)', async () => {
    const command = `${process.execPath} src/cli/legacy-gateway.ts serve`
    const running = start({ BASE_PATH: '/old' }, ['script', '-qefc', command, '/dev/null'])
    const { legacy, admin } = await serving(running)
    const [first, second, ...rest] = running.output().replaceAll('\r', '').split('\n')
    expect([first, second]).toEqual([`Legacy interface: ${legacy}/old`, `Dashboard:        ${admin}`])
    // One of the lines was logged before anything listened.
    expect(rest.join('\n')).toMatch(/^\n\{.*TOKEN_KEY is not set.*\}\n\{.*"msg":"serving"\}\n/)
    expect((await fetch(`${legacy}/old/country/all`)).status).toBe(200)
  })

  it('writes nothing but its log where there is no terminal', async () => {
    const running = start({})
    await serving(running)
    for (const line of running.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })

  it('warns of a removal date that is past, and serves', async () => {
    const running = start({ SUNSET: '2020-01-31' })
    const { legacy } = await serving(running)
    expect(running.output()).toMatch(
      /"level":40,.*"sunset":"2020-01-31T00:00:00\.000Z".*"msg":"SUNSET is in the past: /,
    )
    expect((await login(legacy)).headers.get('sunset')).toBe('Fri, 31 Jan 2020 00:00:00 GMT')
  })

  it('names the variables of the sandbox when that cannot start, without a stack', async () => {
    const taken = new URL(await slowV1(0)).port
    for (const env of [{ SANDBOX_V1_PORT: taken }, { SANDBOX_DB: '/no/such/folder/x.db' }]) {
      const running = start(env)
      expect(await running.exit).toBe(1)
      expect(running.errors()).toMatch(/^SANDBOX_V1_PORT, SANDBOX_LEGACY_PORT, SANDBOX_DB: /)
      expect(running.errors()).not.toContain('    at ')
    }
  })

  it('says everything at once that stops it: a port in use, a rollout file with unknown operations, files that cannot be written', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    const rolloutFile = join(folder, 'rollout.json')
    writeFileSync(rolloutFile, '{"operations":{"invoices":{},"*":{"shadow":2}}}')
    const running = start({
      ...{ PORT: new URL(await slowV1(0)).port, ROLLOUT_FILE: rolloutFile },
      ...{ STATE_DB: '/no/such/folder/state.db', RECORD_FILE: '/no/such/folder/traffic.ndjson' },
    })
    expect(await running.exit).toBe(1)
    const lines = running.errors().trim().split('\n')
    expect([...new Set(lines.map((line) => line.split(':')[0]))].sort()).toEqual([
      'HOST, PORT',
      'RECORD_FILE',
      'ROLLOUT_FILE',
      'STATE_DB',
    ])
    expect(running.errors()).toContain('operations.invoices: no such operation')
    expect(running.errors()).toContain('operations.*.shadow')
  })

  it('says what is wrong with the rollout file also when variables are wrong', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'rollout.json'), '{"operations":{"invoices":{}}}')
    const running = start({ PORT: 'x', MAX_BODY_BYTES: '-1', ROLLOUT_FILE: join(folder, 'rollout.json') })
    expect(await running.exit).toBe(1)
    for (const name of ['PORT must be', 'MAX_BODY_BYTES must be', 'ROLLOUT_FILE: operations.invoices']) {
      expect(running.errors()).toContain(name)
    }
  })

  it.each([
    ['is not there', undefined, 'FILE cannot be read (ENOENT)'],
    [
      'names an operation that there is not',
      '{"operations":{"invoices":{}}}',
      'operations.invoices: no such operation',
    ],
  ])('refuses a rollout file that %s, and exits 1', async (_, text, why) => {
    const folder = mkdtempSync(join(tmpdir(), 'serve-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    const rolloutFile = join(folder, 'rollout.json')
    if (text !== undefined) writeFileSync(rolloutFile, text)
    const running = start({ ROLLOUT_FILE: rolloutFile })
    expect(await running.exit).toBe(1)
    expect(running.errors()).toMatch(/^ROLLOUT_FILE: /)
    expect(running.errors()).toContain(why.replace('FILE', rolloutFile))
  })

  it.each([
    ['SIGUSR2', 'an exception', 'uncaughtException'],
    ['SIGWINCH', 'a rejection', 'unhandledRejection'],
  ] as const)('logs what nobody expects, with its stack, and exits 1 (%#)', async (signal, what, origin) => {
    const running = start({ NODE_OPTIONS: '--import ./test/support/fail-when-told.ts' })
    await serving(running)
    running.child.kill(signal)
    expect(await running.exit).toBe(1)
    const lines = running.output().trim().split('\n')
    const crash = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
    const err = { message: `${what} that nobody expects`, stack: expect.stringContaining('fail-when-told.ts') }
    expect(crash).toMatchObject({ level: 60, msg: 'crashed', origin, err })
  })

  it('says which port is in use, and exits 1', async () => {
    const taken = new URL(await slowV1(0)).port
    for (const variable of ['PORT', 'ADMIN_PORT']) {
      const running = start({ [variable]: taken })
      expect(await running.exit).toBe(1)
      expect(running.errors()).toMatch(new RegExp(`${variable}: .*:${taken} is in use`))
    }
  })
})
