import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { logInAt, startHoldingV1 } from '../../support/holding-v1.ts'
import { uncoloured } from '../../support/run-command.ts'
import { until } from '../../support/start-gateway.ts'

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

/** Connections that clients keep are not waited for. */
const AT_ONCE = { DRAIN_MS: '0' }

describe.concurrent('serve', { timeout: 90_000 }, () => {
  it('writes lines for people with LOG_FORMAT=pretty, of calls and of the control plane too', async () => {
    const v1 = await startHoldingV1()
    const running = start({ V1_BASE_URL: v1.url, ADMIN_TOKEN: 'x'.repeat(32), LOG_FORMAT: 'pretty', ...AT_ONCE })
    await until(() => running.output().includes('INFO: serving'), PATIENCE_MS)
    const [legacy] = /(?<="legacy":")[^"]+/.exec(running.output()) ?? ['']
    const [admin] = /(?<="admin":")[^"]+/.exec(running.output()) ?? ['']
    await fetch(`${legacy}/api/nothing`)
    await fetch(`${admin}/traffic`, { headers: { authorization: 'Bearer wrong' } })
    running.child.kill('SIGTERM')
    await running.exit
    const lines = running.output().trimEnd().split('\n')
    expect(lines.find((line) => line.includes('/api/nothing'))).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: call \{.*"client":"unidentified".*"status":404/,
    )
    expect(lines.find((line) => line.includes('WARN: '))).toMatch(/wrong/)
    for (const line of lines) expect(line).toMatch(/^\[\d\d:/)
  })

  it('treats the two signals that a terminal and npm send as one', async () => {
    const v1 = await startHoldingV1()
    const running = start({ V1_BASE_URL: v1.url, ...AT_ONCE })
    const { legacy } = await serving(running)
    const answer = logInAt(legacy)
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
    expect((await logInAt(legacy)).status).toBe(200)
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    await expect(logInAt(legacy)).rejects.toThrow()
  })

  it('stops after the grace period even if v1 does not answer', async () => {
    const v1 = await startHoldingV1()
    const running = start({ V1_BASE_URL: v1.url, SHUTDOWN_GRACE_MS: '100', UPSTREAM_TIMEOUT_MS: '600000', ...AT_ONCE })
    const { legacy } = await serving(running)
    const answer = logInAt(legacy).catch(() => 'cut off')
    await v1.isAsked()
    const asked = performance.now()
    running.child.kill('SIGTERM')
    expect(await running.exit).toBe(0)
    // Without it, the grace is 10 s.
    expect(performance.now() - asked).toBeLessThan(9_000)
    await answer
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

  it('logs a rejection that nobody expects with its stack, and exits 1', async () => {
    const running = start({
      V1_BASE_URL: (await startHoldingV1()).url,
      NODE_OPTIONS: '--import ./test/support/fail-when-told.ts',
    })
    await serving(running)
    running.child.kill('SIGWINCH')
    expect(await running.exit).toBe(1)
    const lines = running.output().trim().split('\n')
    const crash = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
    const err = { message: 'a rejection that nobody expects', stack: expect.stringContaining('fail-when-told.ts') }
    expect(crash).toMatchObject({ level: 60, msg: 'crashed', origin: 'unhandledRejection', err })
  })
})
