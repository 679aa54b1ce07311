import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variables } from '../../src/app/variables.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { runCommand } from '../support/run-command.ts'

const SECRET = 'q'.repeat(43)
/** Each part of these that must not be shown contains `SECRET`. */
const secrets = {
  TOKEN_KEY: `${SECRET}=`,
  ADMIN_TOKEN: SECRET,
  WEBHOOK_SECRET: SECRET,
  WEBHOOK_URL: `https://hooks.example/${SECRET}?key=${SECRET}`,
  HTTPS_PROXY: `http://user:${SECRET}@proxy.example:3128`,
  STATE_DB: `postgres://user:${SECRET}@db.example/gateway`,
  PGPASSWORD: SECRET,
  V1_BASE_URL: 'http://127.0.0.1:9',
  V1_COPY_BASE_URL: 'http://127.0.0.1:19',
  V1_COPY_CLIENT_ID: 'copy-client',
  V1_COPY_SECRET_KEY: SECRET,
}

async function settingsIn(env: Readonly<Record<string, string>>) {
  const { exit, output, errors } = await runCommand(['config', '--json'], env)
  expect([exit, errors]).toEqual([0, ''])
  const { settings } = JSON.parse(output) as { settings: { name: string; value: string | null; source: string }[] }
  return new Map(settings.map((setting) => [setting.name, setting]))
}

describe('config', () => {
  it('shows every variable with its value and source', async () => {
    const settings = await settingsIn({
      PORT: '8090',
      LEGACY_BASE_URL: 'http://127.0.0.1:9',
      V1_BASE_URL: 'http://[::1]:9',
    })
    expect([...settings.keys()]).toEqual(Object.keys(variables.shape))
    expect(settings.get('PORT')).toMatchObject({ value: '8090', source: 'variable' })
    expect(settings.get('ADMIN_PORT')).toMatchObject({ value: '8081', source: 'default' })
    expect(settings.get('SERVE')).toMatchObject({ value: 'legacy', source: 'default', note: 'LEGACY_BASE_URL is set' })
    expect(settings.get('SUNSET')).toMatchObject({ value: null, source: 'default' })
  })

  it.each([['--json'], []])('never shows a secret (%s)', async (...options) => {
    const { exit, output, errors } = await runCommand(['config', ...options], secrets)
    expect([exit, errors]).toEqual([0, ''])
    expect(output).not.toContain(SECRET)
    for (const shown of ['https://hooks.example/***', 'http://***@proxy.example:3128', 'copy-client', 'db.example']) {
      expect(output).toContain(shown)
    }
  })

  it.each([
    ['HTTPS_PROXY', 'http:///user:SECRET@proxy.example:3128', 'http:///***@proxy.example:3128'],
    ['https_proxy', ' http://user:SECRET@proxy.example', ' http://***@proxy.example'],
    ['https_proxy', 'user:SE@CRET@proxy.example', '***@proxy.example'],
    ['STATE_CACHE', 'postgres://user:SECRET@db.example/cache', 'postgres://***@db.example/cache'],
    ['SANDBOX_DB', 'file:sandbox.db', 'file:sandbox.db'],
  ])('masks credentials in any address: %s=%s', async (name, written, shown) => {
    const settings = await settingsIn({ [name]: written, V1_BASE_URL: 'http://127.0.0.1:9' })
    expect(settings.get(name)).toMatchObject({ value: shown, masked: written !== shown })
  })

  it('lists all mistakes at once, also those in the files, and exits with 2', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'rollout.json'), '{"operations":{"invoce-list":{}}}')
    const env = { PORT: '99999', ADMIN_TOKEN: 'short', ROLLOUT_FILE: join(folder, 'rollout.json'), ROLOUT_FILE: 'x' }
    const { exit, output, errors } = await runCommand(['config'], env)
    expect([exit, output]).toEqual([2, ''])
    expect(errors).toMatch(/^Warning: ROLOUT_FILE is no variable.*; similar: ROLLOUT_FILE$/m)
    expect(errors).toMatch(/^ {2}PORT must be a whole number from 0 to 65535$/m)
    expect(errors).toMatch(/^ {2}ADMIN_TOKEN must have at least 16 characters$/m)
    expect(errors).toMatch(/^ {2}ROLLOUT_FILE: operations\.invoce-list: .*; did you mean invoice-list\?$/m)
    const told = JSON.parse((await runCommand(['config', '--json'], env)).output)
    expect(told).toMatchObject({ settings: [], mistakes: [{}, {}, {}].map(() => expect.any(String)) })
  })

  it('judges the rollout file by the other settings, as serve does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    closeAtEnd(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'rollout.json'), '{"operations":{"*":{"serve":"legacy"}}}')
    const env = { ROLLOUT_FILE: join(folder, 'rollout.json'), V1_BASE_URL: 'http://127.0.0.1:9' }
    const { exit, errors } = await runCommand(['config'], env)
    expect([exit, errors]).toEqual([
      2,
      expect.stringContaining('needs a legacy service, but LEGACY_BASE_URL is not set'),
    ])
  })
})
