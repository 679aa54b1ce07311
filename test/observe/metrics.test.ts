import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { operations } from '../../mappings/index.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { registerReplicaMetrics } from '../../src/observe/metrics/gateway-metrics.ts'
import { replica } from '../support/dashboard-sources.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { deadUrl } from '../support/raw-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'
import { startGateway, until } from '../support/start-gateway.ts'

const metricsOf = async (adminUrl: string): Promise<string> => (await callLegacy(adminUrl, { path: '/metrics' })).text

test('calls are counted by operation, status and side, with their durations, and by client', async () => {
  const sides = await startSideBySide({ operations: { 'currency-list': { serve: 'legacy' } } })
  await sides.call('/api/invoice/list', { organizationId: 1, typeId: 2 })
  await sides.call('/api/invoice/list', { perPage: 0 })
  await sides.call('/api/currency')
  await sides.gateway.call({ path: '/nothing/here' })
  const text = await metricsOf(sides.adminUrl)
  expect(text).toContain('legacy_gateway_calls_total{operation="invoice-list",status="200",side="v1"} 1')
  expect(text).toContain('legacy_gateway_calls_total{operation="invoice-list",status="400",side="gateway"} 1')
  expect(text).toContain('legacy_gateway_calls_total{operation="currency-list",status="200",side="legacy"} 1')
  expect(text).toMatch(/legacy_gateway_calls_total\{operation="unknown",status="404",side="legacy"\} 1/)
  expect(text).toContain('legacy_gateway_call_duration_seconds_count{operation="invoice-list",side="v1"} 1')
  expect(text).toContain('legacy_gateway_upstream_duration_seconds_count{upstream="v1",operation="invoice-list"} 1')
  expect(text).toContain('legacy_gateway_dropped_members_total{operation="invoice-list"} 2')
  expect(text).toContain('legacy_gateway_client_calls_total{client="demo-client",operation="invoice-list"} 2')
  expect(text).toContain('legacy_gateway_breaker_open{upstream="v1",lane="reads"} 0')
  expect(text).toMatch(/^# HELP legacy_gateway_calls_total \S/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  expect(text).toContain(
    `legacy_gateway_build_info{version="${packageJson.version}",node="${process.versions.node}"} 1`,
  )
})

test('comparisons are counted by outcome, the queue and what it dropped, and the assumptions that showed', async () => {
  const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } })
  await sides.call('/api/invoice/list', {})
  await sides.call('/api/unit/of/measure/all')
  await sides.compared(2)
  const text = await metricsOf(sides.adminUrl)
  expect(text).toContain('legacy_gateway_comparisons_total{operation="invoice-list",outcome="matched"} 1')
  expect(text).toContain('legacy_gateway_comparison_queue 0')
  expect(text).toContain('legacy_gateway_comparisons_dropped_total 0')
  expect(text).toMatch(/legacy_gateway_assumptions_total\{operation="unit-list",.*result="held"\} 1/)
})

test('comparisons are counted for this process: neither a reset of the evidence nor a restart with stored results changes that', async () => {
  const settings = (folder: string) => ({ stateDb: join(folder, 'state.db') })
  const sides = await startSideBySide({ operations: { '*': { shadow: 1 } } }, { settings })
  await sides.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].number', to: 'x' })
  await sides.call('/api/invoice/list', {})
  await sides.call('/api/invoice/list', {}, { authorization: 'Bearer not-ours' })
  await sides.call('/api/unit/of/measure/all')
  await sides.compared(3)
  const counted = async (adminUrl: string) =>
    (await metricsOf(adminUrl)).match(/^legacy_gateway_(?:comparisons|assumptions)\w*_total\{.*\} [1-9]\d*$/gm)?.sort()
  const before = await counted(sides.adminUrl)
  expect(before).toContain('legacy_gateway_comparisons_total{operation="invoice-list",outcome="mismatched"} 1')
  expect(before).toContain(
    'legacy_gateway_comparisons_unjudged_total{operation="invoice-list",cause="the token is not ours"} 1',
  )
  for (const operation of ['invoice-list', 'unit-list']) {
    const order = JSON.stringify({ operation, by: 'test', why: 'the service was replaced' })
    const headers = { 'content-type': 'application/json' }
    expect((await callLegacy(sides.adminUrl, { path: '/evidence/reset', headers, body: order })).status).toBe(200)
  }
  expect(await counted(sides.adminUrl)).toEqual(before)

  await sides.gateway.close()
  const restarted = await startGateway(sides.v1Url, { legacyUrl: sides.v1Url, settings: settings(sides.folder) })
  expect(await counted(await restarted.openAdmin())).toBeUndefined()
})

test('the metrics say that an operation is ready, and that it no longer is', async () => {
  const sides = await startSideBySide({ operations: { '*': { shadow: 1, target: 0.1 } } })
  const told = async () =>
    /legacy_gateway_operation_ready\{operation="invoice-list"\} (\d)/.exec(await metricsOf(sides.adminUrl))?.[1]
  expect(await told()).toBe('0')
  for (let perPage = 1; perPage <= 2; perPage++) await sides.call('/api/invoice/list', { perPage })
  await sides.compared(2)
  expect(await told()).toBe('1')
  await sides.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].number', to: 'x' })
  await sides.call('/api/invoice/list', { perPage: 3 })
  await sides.compared(3)
  expect(await told()).toBe('0')
})

test('replicas are counted, with what they do not agree on, and how far the clock of this one is off', async () => {
  const registry = new Registry()
  registerReplicaMetrics(registry, () => ({
    engine: { state: 'degraded' },
    self: 'b',
    replicas: [
      replica('a'),
      replica('b', { clockOffsetMs: -2_500, rollout: null }),
      replica('c', { clockOffsetMs: 40, mapping: '40c19b7e5d02' }),
    ],
  }))
  const text = await registry.metrics()
  expect(text.match(/^legacy_gateway_.*$/gm)).toEqual([
    'legacy_gateway_state_store_up 0',
    'legacy_gateway_replicas 3',
    'legacy_gateway_replica_clock_offset_seconds -2.5',
    'legacy_gateway_replica_versions{of="build"} 1',
    'legacy_gateway_replica_versions{of="mapping"} 2',
    'legacy_gateway_replica_versions{of="rollout"} 2',
  ])
})

test('a gateway that shares its results with no other counts one replica', async () => {
  const text = await metricsOf(await (await startGateway(await deadUrl())).openAdmin())
  expect(text).toMatch(/^legacy_gateway_replicas 1$/m)
  expect(text).toMatch(/^legacy_gateway_replica_versions\{of="rollout"\} 1$/m)
  expect(text.match(/^legacy_gateway_state_store_up .*$/gm)).toEqual(['legacy_gateway_state_store_up 1'])
})

test('failures of a service are counted by kind', async () => {
  const gateway = await startGateway(await deadUrl())
  await gateway.call({ path: '/auth/application', body: '{}' })
  const text = await metricsOf(await gateway.openAdmin())
  expect(text).toContain('legacy_gateway_failures_total{operation="auth",kind="unreachable"} 1')
})

test('counters that alerts use start at 0 for every operation, so that the first event is an increase', async () => {
  const legacyUrl = await deadUrl()
  const gateway = await startGateway(await deadUrl(), { legacyUrl })
  const text = await metricsOf(await gateway.openAdmin())
  for (const { id, v1 } of operations) {
    if (v1 !== undefined) {
      expect(text).toContain(`legacy_gateway_calls_total{operation="${id}",status="500",side="v1"} 0`)
      for (const outcome of ['matched', 'ignored', 'mismatched', 'failed', 'skipped']) {
        expect(text).toContain(`legacy_gateway_comparisons_total{operation="${id}",outcome="${outcome}"} 0`)
      }
    }
    for (const status of [500, 502, 503, 504]) {
      expect(text).toContain(`legacy_gateway_calls_total{operation="${id}",status="${status}",side="legacy"} 0`)
    }
  }
  expect(text).toContain('legacy_gateway_calls_total{operation="unknown",status="502",side="legacy"} 0')
  expect(text).toContain('legacy_gateway_reference_stale_answers_total{operation="city-list"} 0')
  expect(text).toContain('legacy_gateway_reference_refresh_failures_total{operation="city-list"} 0')
  expect(text).toContain('legacy_gateway_comparisons_dropped_total 0')
  expect(text).toContain('legacy_gateway_rollout_refused 0')

  await gateway.call({ path: '/some/where' })
  await gateway.call({ path: '/country/all' })
  const later = await metricsOf(await gateway.openAdmin())
  expect(later).toContain('legacy_gateway_calls_total{operation="unknown",status="502",side="legacy"} 1')
  expect(later).toContain('legacy_gateway_calls_total{operation="country-list",status="500",side="v1"} 1')
})

test('without a legacy service its answers are not counted, and nothing can be compared', async () => {
  const text = await metricsOf(await (await startGateway(await deadUrl())).openAdmin())
  expect(text).not.toMatch(/operation="price",.*side="legacy"|operation=.*outcome=/)
  expect(text).toContain('legacy_gateway_calls_total{operation="charge-list",status="501",side="gateway"} 0')
  expect(text).not.toContain('upstream="legacy"')
})

test('the metrics show a service that is down, without traffic, and a rollout file that is refused', async () => {
  const sides = await startSideBySide({ operations: {} })
  expect(await metricsOf(sides.adminUrl)).toContain('legacy_gateway_upstream_up{upstream="v1"} 1')
  await sides.plant('v1', { path: '*', kind: 'malformed', as: 'html', calls: 'all' })
  writeFileSync(sides.rolloutFile, 'no JSON')
  let text = ''
  const look = async () => (text = await metricsOf(sides.adminUrl))
  await expect.poll(look).toMatch(/upstream_up\{upstream="v1"\} 0[\s\S]*rollout_refused 1/)
  expect(text).toContain('legacy_gateway_upstream_up{upstream="legacy"} 1')
  expect(text).toContain('legacy_gateway_rollout_refused 1')
})

test('unknown traffic adds no label, however odd it is', async () => {
  const gateway = await startGateway(await deadUrl())
  for (let number = 0; number < 20; number++) await gateway.call({ path: `/odd-${number}`, method: 'PUT' })
  const text = await metricsOf(await gateway.openAdmin())
  expect(text).toMatch(/legacy_gateway_calls_total\{operation="unknown",status="404",side="\w+"\} 20/)
  expect(text).not.toContain('odd-')
})

test('reference lists are counted by operation: hits, sweeps by result, and their size', async () => {
  const sides = await startSideBySide({ operations: {} })
  for (let call = 0; call < 3; call++) await sides.call('/api/currency')
  await sides.call('/country/all?code=de')
  await sides.plant('v1', { path: '/api/v1/shared/units-of-measure', kind: 'status', status: 503, calls: 'all' })
  await sides.call('/api/unit/of/measure/all')
  const text = await metricsOf(sides.adminUrl)
  expect(text).toContain('legacy_gateway_reference_hits_total{operation="currency-list"} 2')
  expect(text).toContain('legacy_gateway_reference_sweeps_total{operation="currency-list",result="changed"} 1')
  expect(text).toContain('legacy_gateway_reference_sweeps_total{operation="country-list",result="changed"} 1')
  expect(text).toContain('legacy_gateway_reference_sweeps_total{operation="unit-list",result="failed"} 1')
  expect(text).toContain('legacy_gateway_reference_stale_answers_total{operation="currency-list"} 0')
  expect(text).toMatch(/legacy_gateway_reference_bytes\{operation="currency-list"\} \d{3,}/)
  expect(text).toContain('legacy_gateway_reference_bytes{operation="unit-list"} 0')
  expect(text).not.toContain('code=')
})

test('stale answers and failed refreshes are counted, and a failed refresh is logged without a token', async () => {
  // Long enough for the second call to arrive within it.
  const settings = { referenceTtlMs: 1_000, referenceStaleMs: 60_000 }
  const sides = await startSideBySide({ operations: {} }, { settings: () => settings })
  await sides.call('/api/currency')
  await sides.plant('v1', { path: '*', kind: 'status', status: 503, calls: 'all' })
  // The list has been used since it was read.
  await sides.call('/api/currency')
  const warnings = () => sides.gateway.log.filter(({ msg }) => String(msg).startsWith('a reference list'))
  await until(() => warnings().length > 0)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await sides.call('/api/currency')).status).toBe(200)
  expect(warnings()).toMatchObject([{ level: 40, operation: 'currency-list', failure: 'unavailable' }])
  expect(JSON.stringify(warnings())).not.toContain(sides.token)
  const text = await metricsOf(sides.adminUrl)
  expect(text).toContain('legacy_gateway_reference_refresh_failures_total{operation="currency-list"} 1')
  expect(text).toContain('legacy_gateway_reference_stale_answers_total{operation="currency-list"} 1')
  expect(text).toContain('legacy_gateway_reference_hits_total{operation="currency-list"} 1')
})
