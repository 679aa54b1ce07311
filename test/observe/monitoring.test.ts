import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ConfigError, readConfig } from '../../src/config.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const FOLDER = 'src/observe/monitoring'
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

interface Compose {
  readonly services: Readonly<
    Record<string, { environment?: Record<string, string>; volumes?: string[]; command?: string[] }>
  >
}
const compose = parse(readFileSync('docker-compose.yml', 'utf8')) as Compose

describe('docker-compose.yml', () => {
  it('mounts only files that there are', () => {
    const files = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '')
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('configures the gateway with variables that it knows, so that it starts', () => {
    const given = Object.fromEntries(
      Object.entries(compose.services.gateway?.environment ?? {}).map(([name, value]) => [
        name,
        value.replace(/\$\{\w+:[-?]([^}]*)\}/, '$1'),
      ]),
    )
    const source = readFileSync('src/config.ts', 'utf8')
    expect(Object.keys(given).filter((name) => !source.includes(`${name}:`))).toEqual([])
    try {
      readConfig(given)
    } catch (error) {
      throw error instanceof ConfigError ? new Error(error.problems.join()) : error
    }
  })
})

describe('the alerts and the dashboard', () => {
  it.skipIf(!hasPromtool)(
    'are rules that Prometheus takes (promtool, of the package prometheus, where it is installed)',
    () => {
      expect(execFileSync('promtool', ['check', 'rules', `${FOLDER}/alerts.yml`], { encoding: 'utf8' })).toContain(
        'SUCCESS',
      )
      const syntax = ['check', 'config', '--syntax-only', `${FOLDER}/prometheus.yml`]
      expect(execFileSync('promtool', syntax, { encoding: 'utf8' })).toContain('SUCCESS')
    },
  )

  it('ask only for metrics that the gateway has', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    await sides.call('/api/invoice/list', {})
    await sides.compared(1)
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    const asked = ['alerts.yml', 'grafana-dashboard.json']
      .flatMap((file) => readFileSync(`${FOLDER}/${file}`, 'utf8').match(/legacy_gateway_\w+/g) ?? [])
      .map((name) => name.replace(/_bucket$/, ''))
    expect(new Set(asked).size).toBeGreaterThan(6)
    expect([...new Set(asked)].filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
  })

  it.skipIf(!hasPromtool)('read metrics whose text Prometheus finds no fault with (promtool)', async () => {
    const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
    await sides.call('/api/invoice/list', {})
    const { text } = await callLegacy(sides.adminUrl, { path: '/metrics' })
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    // What the client library itself measures of the process is not ours to name.
    const ours = (checked.stdout + checked.stderr).split('\n').filter((line) => line.includes('legacy_gateway'))
    expect(ours).toEqual([])
  })
})
