import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import {
  COUNTRIES,
  DEMO,
  fileOf,
  line,
  newDirectory,
  replayOver,
  runReplay,
  startServices,
} from '../support/run-replay.ts'

const CLOSED = 'http://127.0.0.1:1'
const sides = ['--legacy', CLOSED, '--v1', CLOSED]
const file = fileOf(line(COUNTRIES))

/** Nothing is planted there: every test may ask them. */
const services = await startServices()

/** Exits 2, with the reason and without a stack. */
async function refusal(parameters: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exit, errors, output } = await runReplay(parameters, env)
  expect({ exit, output }).toEqual({ exit: 2, output: '' })
  expect(errors).not.toMatch(/^ +at /m)
  return errors
}

describe.concurrent('a replay that cannot be run exits 2', { timeout: 60_000 }, () => {
  it.each<readonly [string, readonly string[], RegExp]>([
    ['without a file', [...sides], /missing required argument 'file'/],
    ['with a second file that does not exist', [file, 'B', ...sides], /^B: no such file or directory\n$/],
    ['with an option that there is none', [file, '--fast'], /unknown option '--fast'/],
    ['with an option without its value', [file, ...sides, '--target'], /argument missing/],
    ['without the control', [file, '--v1', CLOSED], /^--legacy is missing: give it, or set LEGACY_BASE_URL$/m],
  ])('%s', async (_, parameters, says) => {
    expect(await refusal(parameters)).toMatch(says)
  })

  it('names a variable of an address that is mistyped', async () => {
    const says = await refusal([file, '--v1', CLOSED], { LEGACY_BASE_ULR: CLOSED })
    expect(says).toContain('set LEGACY_BASE_URL (LEGACY_BASE_ULR is set, which is not read)')
  })

  it('reports all wrong options at once, without secrets', async () => {
    const options = [file, '--legacy', 'http://me:hush@example.com', '--v1-token', 'hush hush', '--rate', 'x']
    const says = await refusal(options)
    for (const option of ['--legacy', '--v1', '--v1-token', '--rate']) expect(says).toContain(`${option} `)
    expect(says).not.toContain('hush')
    expect(await refusal([file, '--secretkey=hush'])).toContain(
      "unknown option '--secretkey'; did you mean --secret-key?",
    )
  })

  it('with an invalid environment or rollout file', async () => {
    expect(await refusal([file, ...sides], { V1_BASE_URL: 'no' })).toContain('V1_BASE_URL must be')
    const rollout = fileOf('{"operations":{"no-such":{"serve":"v2"}}}')
    expect(await refusal([file, ...sides], { ROLLOUT_FILE: rollout })).toMatch(/^ROLLOUT_FILE: operations\.no-such/m)
    expect(await refusal([file, ...sides], { ROLLOUT_FILE: '/no/such/file' })).toMatch(
      /^ROLLOUT_FILE: \/no\/such\/file cannot be read/m,
    )
  })

  it('with a file that cannot be read or holds no exchange, and names it', async () => {
    expect(await refusal(['/no/such/file', ...sides])).toMatch(/^\/no\/such\/file: no such file/m)
    expect(await refusal([newDirectory(), ...sides])).toMatch(/^\/.*: no recording in this directory: /)
    for (const content of ['', '\n\n', '{"log":{"version":"1.2","entries":[]}}']) {
      const empty = fileOf(content)
      expect(await refusal([empty, ...sides])).toBe(`${empty}: no exchange in this file\n`)
    }
    const bad = fileOf('garbage\nmore of it\n')
    expect(await refusal([bad, ...sides])).toBe(
      `${bad}: looks like another text; only recordings of the gateway (NDJSON), HAR 1.2 files, Postman collections 2.1 and golden cases can be read, each also as gzip\n`,
    )
  })

  it('with a side that it cannot connect to, and names each such side', async () => {
    const { legacyUrl } = services
    const says = await refusal([file, '--legacy', legacyUrl, '--v1', CLOSED])
    expect(says).toBe(`cannot connect to v1 at ${CLOSED}: connection refused\n`)
    const both = await refusal([file, ...sides])
    expect(both).toMatch(/^cannot connect to the legacy service at .*\ncannot connect to v1 at .*\n$/)
  })

  it('with a login that either side refuses, and shows no secret', async () => {
    for (const [side, other, name] of [
      ['v1', 'legacy', 'the legacy service'],
      ['legacy', 'v1', 'v1'],
    ] as const) {
      const urls = { legacy: services.legacyUrl, v1: services.v1Url }
      const refusing = await startHttpServer(({ body }, response) => response.writeHead(401).end(body))
      const ran = await refusal([
        ...[file, `--${side}`, urls[side], `--${other}`, refusing.url],
        ...['--client-id', 'demo-client', '--secret-key', 'demo-secret'],
      ])
      expect(ran).toContain(`${name}: the login was refused (status 401)`)
      expect(ran).not.toContain('demo-secret')
    }
    const wrong = await replayOver(services, line(COUNTRIES), [
      '--client-id',
      'demo-client',
      '--secret-key',
      'wrong-secret',
    ])
    expect(wrong.exit).toBe(2)
    expect(wrong.errors).toContain('the legacy service: the login was refused (status 401)')
    expect(wrong.errors).not.toContain('wrong-secret')
    expect(wrong.report('report.json')).toBe('')
  })

  it('with a report directory that it cannot write to', async () => {
    expect(await refusal([file, ...sides, '--report', file])).toMatch(
      /^--report: .*: (file already exists|not a directory)/m,
    )
    expect(await refusal([file, ...sides, '--report', join(file, 'beneath')])).toMatch(
      /^--report: .*: not a directory/m,
    )
    const directory = newDirectory()
    mkdirSync(join(directory, 'report.html'))
    const ran = await replayOver(services, line(COUNTRIES), [...DEMO, '--report', directory])
    expect(ran.exit).toBe(2)
    expect(ran.errors).toMatch(/report\.html: /)
    expect(ran.output).toContain('1 exchange: 1 matched')
  })

  it('but exits 0 when asked for help', async () => {
    const { exit, output } = await runReplay(['--help'])
    expect(exit).toBe(0)
    for (const option of ['--repeat-control', '--include-writes', '--report', 'Exit codes: 0'])
      expect(output).toContain(option)
  })
})
