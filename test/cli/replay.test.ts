import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { textOf } from '../support/read-html.ts'
import {
  COUNTRIES,
  counting,
  DEMO,
  fileOf,
  IMPORT,
  INVOICES,
  line,
  newDirectory,
  replayOver,
  runReplay,
  startReplay,
  startServices,
  UNITS,
} from '../support/run-replay.ts'

const day = [
  line(INVOICES, { page: 1, perPage: 5 }, 'en'),
  line(INVOICES, { isPayment: false, search: '~Y0RdXH8c1I1EbUYG4sWHPM' }),
  line(`${COUNTRIES}?code=de`),
  line(UNITS, undefined, 'en'),
].join('')

/** Nothing is planted there: every test may ask them. */
const faultless = await startServices()

describe.concurrent('legacy-gateway replay', { timeout: 60_000 }, () => {
  it('reports where both sides answer alike, in plain lines without a terminal', async () => {
    const inProcess = (...given: Parameters<typeof startReplay>) => startReplay(...given).end
    const { exit, output, errors, report, json } = await replayOver(faultless, day, DEMO, {}, inProcess)
    expect(exit).toBe(3)
    expect(json().totals).toEqual({ requests: 4, matched: 4, ignored: 0, mismatched: 0, failed: 0, skipped: 0 })
    expect(report('report.html')).toContain('All 4 compared exchanges match.</p>')
    expect(json().replayed).toEqual({
      file: expect.stringMatching(/^\/.+/),
      legacy: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      v1: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ...{ options: ['--concurrency 4'], gateway: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
    expect(report('junit.xml')).toContain(
      '<testsuite name="invoice-list" tests="2" failures="0" errors="0" skipped="0"',
    )
    expect(output).toMatch(/^operation +exchanges +match rate +at least +verdict +units needed$/m)
    expect(output).toMatch(/^invoice-list +2 +100 % +5 % +insufficient data +298$/m)
    expect(output).toMatch(
      /^All together: insufficient data\. None of the \d+ operations that can be compared is proven\.$/m,
    )
    expect(errors).toMatch(
      /^Replaying 4 exchanges: http:\/\/127\.0\.0\.1:\d+ is compared with http:\/\/127\.0\.0\.1:\d+\n4 of 4 exchanges: 0 mismatched, 0 failed\n$/,
    )
    expect(errors + output).not.toContain('\u001b')
    for (const name of ['report.json', 'report.html', 'junit.xml']) expect(output).toMatch(new RegExp(`/${name}$`, 'm'))
  })

  it('shows – in place of a match rate where all equal answers are errors, in the terminal and in the report', async () => {
    const refused = [line(INVOICES, { perPage: 0 }), line(INVOICES, { perPage: -1 })].join('')
    const { output, report, json } = await replayOver(faultless, refused)
    expect(json().operations).toMatchObject([{ matchRate: 0, errors: { matched: 2, mismatched: 0 }, empty: 0 }])
    expect(output).toMatch(/^invoice-list +2 +– +– +insufficient data +299$/m)
    expect(textOf(report('report.html'))).toContain('insufficient data 2 – – 99 %')
  })

  it('exits 1 on a mismatch, and says where', async () => {
    const services = await startServices()
    await services.plant('legacy', { path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 0 })
    const { exit, output, report, json } = await replayOver(services, day)
    expect(exit).toBe(1)
    expect(json().totals).toMatchObject({ matched: 3, mismatched: 1 })
    expect(counting(json(), 'invoice-list')).toEqual(['changed data[].priceTry < items[].priceTry: 1 (1)'])
    expect(output).toContain('changed data[].priceTry (v1: items[].priceTry), in 1 exchange')
    expect(report('junit.xml')).toContain('<failure ')
    expect(report('report.html')).toContain('1 of 4 compared exchanges differ.</p>')
  })

  it('exits 1 if a side failed, and says how', async () => {
    const services = await startServices()
    await services.plant('v1', { path: '/api/v1/public/shared/countries', kind: 'status', status: 503, calls: 'all' })
    await services.plant('legacy', { path: '/api/unit/of/measure/all', kind: 'cut', in: 'body', calls: 'all' })
    const { exit, output, report, json } = await replayOver(services, day)
    expect(exit).toBe(1)
    expect(json().totals).toMatchObject({ matched: 2, mismatched: 1, failed: 1 })
    expect(output).toContain('failure [unavailable: 1], in 1 exchange')
    expect(output).toContain('failed (control: unreachable): 1')
    expect(report('junit.xml')).toContain('<error message="1 of 1 exchange failed" type="failed">control: unreachable')
  })

  it('proves nothing without a token: both sides refuse', async () => {
    const { exit, json } = await replayOver(faultless, day, [])
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ matched: 1, failed: 0, mismatched: 0, skipped: 3 })
    expect(json().operations[0]?.uncompared).toMatchObject([{ reason: 'both refused: 401' }])
  })

  it('skips writes, logins, unknown paths and what v1 lacks: shows each, judges none', async () => {
    const recorded = [
      line(IMPORT, { name: 'spring', shipmentId: '1' }),
      line('POST /auth/application', { clientId: '~a', secretKey: '~b' }),
      line('POST /api/transaction/charge/list', {}),
      line('GET /api/elsewhere'),
      line('DELETE /country/all'),
      line('HEAD /country/all'),
    ].join('')
    const { exit, json, report } = await replayOver(faultless, recorded)
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ requests: 6, skipped: 6 })
    expect(
      json().operations.map(({ operation, verdict, uncompared }) => [operation, verdict, uncompared[0]?.reason]),
    ).toEqual([
      ['auth', 'insufficient data', 'a login'],
      ['import-create', 'insufficient data', 'a write'],
      ['charge-list', 'insufficient data', 'v1 has no equivalent'],
      ['unknown', 'insufficient data', 'no known operation'],
    ])
    expect(report('junit.xml').match(/<skipped /g)).toHaveLength(4)
  })

  it('reports bad lines by number, and replays the others', async () => {
    const recorded = `${line(COUNTRIES)}{"v":1\n[]\n\n${line(UNITS)}{"v":2,"request":{}}\n{"v":1,"requ`
    const { exit, output, errors, report, json } = await replayOver(faultless, recorded)
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ requests: 2, matched: 2 })
    expect(errors.match(/^\/.*recording:\d+: .*$/gm)?.map((text) => text.replace(/^.*recording:/, ''))).toEqual([
      '2: not JSON',
      '3: not an exchange: it has no version number',
      '6: version 2 is not supported, only version 1',
      '7: not JSON: it is cut off',
    ])
    expect(output).toContain('4 lines could not be read.')
    expect(json().unreadable).toMatchObject({ count: 4, first: [{ line: 2 }, { line: 3 }, { line: 6 }, { line: 7 }] })
    expect(report('report.html')).toContain('4 lines of the recording could not be read')
  })

  it('replays a HAR, whatever host and path prefix it was recorded with', async () => {
    const entries = [
      { request: { method: 'GET', url: 'https://gateway.example/base/country/all?code=de', headers: [] } },
      {
        request: {
          method: 'POST',
          url: 'https://gateway.example/base/api/invoice/list',
          headers: [{ name: 'Accept-Language', value: 'en' }],
          postData: { mimeType: 'application/json', text: '{"perPage":2}' },
        },
      },
      { request: { method: 'GET', url: 'https://gateway.example/app.js', headers: [] } },
    ]
    const har = JSON.stringify({ log: { version: '1.2', entries } })
    const { exit, json } = await replayOver(faultless, har, DEMO, { BASE_PATH: '/base' })
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ requests: 3, matched: 2, skipped: 1 })
  })

  it('adds the path prefix of a side, unless the recorded path has it', async () => {
    const legacy = await startHttpServer((_, response) => response.end('[]'))
    const recorded = `${line(COUNTRIES)}${line('GET /old/country/all?code=de')}`
    const { json } = await replayOver({ ...faultless, legacyUrl: `${legacy.url}/old/` }, recorded, ['--no-confirm'])
    expect(legacy.received.map(({ target }) => target).sort()).toEqual(['/old/country/all', '/old/country/all?code=de'])
    expect(json().totals).toMatchObject({ requests: 2, skipped: 0, failed: 0 })
  })

  it('takes the sides from the environment, unless an option names them', async () => {
    const { legacyUrl, v1Url } = faultless
    const env = { LEGACY_BASE_URL: legacyUrl, V1_BASE_URL: 'http://127.0.0.1:1' }
    const { exit } = await runReplay([fileOf(line(COUNTRIES)), '--v1', v1Url], env)
    expect(exit).toBe(3)
  })

  it('takes target and ignore rules from the rollout file, but --target comes first', async () => {
    const services = await startServices()
    await services.plant('legacy', { path: '/country/all', kind: 'change', at: '[].taxType', to: 'X' })
    const rollout = fileOf(
      JSON.stringify({
        operations: { 'country-list': { target: 0.5 } },
        ignore: [{ operation: 'country-list', path: '[].taxType', why: 'agreed upon' }],
      }),
    )
    const recorded = ['de', 'tr', 'fr', 'gb', 'us'].map((code) => line(`${COUNTRIES}?code=${code}`)).join('')
    const { exit, json } = await replayOver(services, recorded, DEMO, { ROLLOUT_FILE: rollout })
    expect(exit).toBe(0)
    expect(json().operations[0]).toMatchObject({
      verdict: 'ready',
      target: 0.5,
      totals: { ignored: 5 },
      differences: [{ path: '[].taxType', ignored: 'rule: agreed upon' }],
    })
    const strict = await replayOver(services, recorded, [...DEMO, '--target', '0.9'], { ROLLOUT_FILE: rollout })
    expect(strict.json().operations[0]).toMatchObject({ verdict: 'insufficient data', target: 0.9 })
  })

  it('asks no faster than its rate', async () => {
    const { json } = await replayOver(faultless, day, [...DEMO, '--rate', '20', '--no-confirm'])
    const { startedAt, finishedAt, totals } = json()
    expect(totals.requests).toBe(4)
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(3 * 50 - 5)
  })

  it('leaves only the reports in their directory, and replaces earlier ones', async () => {
    const directory = join(newDirectory(), 'a', 'b')
    for (const _ of [1, 2]) {
      const { exit } = await replayOver(faultless, line(COUNTRIES), [...DEMO, '--report', directory])
      expect(exit).toBe(3)
      expect(readdirSync(directory).sort()).toEqual(['junit.xml', 'propose.json', 'report.html', 'report.json'])
    }
  })
})
