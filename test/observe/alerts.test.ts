import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const FOLDER = 'src/observe/monitoring'

describe('the alerts and the dashboard', () => {
  it('have one of two severities', () => {
    const { groups } = parse(readFileSync(`${FOLDER}/alerts.yml`, 'utf8')) as {
      readonly groups: readonly { readonly rules: readonly { alert: string; labels?: { severity?: string } }[] }[]
    }
    const severities = groups.flatMap(({ rules }) => rules.map(({ labels }) => labels?.severity))
    expect(severities.length).toBeGreaterThan(7)
    expect(new Set(severities)).toEqual(new Set(['critical', 'warning']))
  })

  it('find all their metrics from the start, before any call, so that the first event is an increase', async () => {
    const admin = await (await startGateway(await deadUrl(), { legacyUrl: await deadUrl() })).openAdmin()
    const { text } = await callLegacy(admin, { path: '/metrics' })
    const asked = readFileSync(`${FOLDER}/alerts.yml`, 'utf8').match(/legacy_gateway_\w+/g) ?? []
    expect([...new Set(asked)].filter((name) => !new RegExp(`^${name}(\\{.*\\})? \\d`, 'm').test(text))).toEqual([])
  })

  it('use only metrics that the gateway has', async () => {
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
})
