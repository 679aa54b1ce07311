import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { GOOD_BODIES } from '../support/good-bodies.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { copyAt, ROLLOUT, startCopied, startRecordedCopy } from '../support/recorded-copy.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { until } from '../support/start-gateway.ts'

const PACKAGE = '/api/consignment/package/advance'
const IMPORT = '/api/single/point/import'
const UNITS = '/api/unit/of/measure/all'
const LOGIN = '/api/v1/auth/application'
const TOKEN = '{"success":true,"message":"","data":{"token":"t"}}'
const REFUSED = '{"success":false,"message":"no","code":"UNAUTHORIZED","errors":[]}'
const [parcel = {}] = GOOD_BODIES[PACKAGE] ?? []

/** A copy that accepts calls and holds their answers: also of logins, unless it `logsIn`. */
async function startHangingCopy(logsIn: boolean) {
  const held = new Set<ServerResponse>()
  const { url, received } = await startHttpServer(({ target }, response) => {
    if (logsIn && target === LOGIN) return void response.writeHead(200).end(TOKEN)
    held.add(response)
    response.on('close', () => held.delete(response))
  })
  return { url, received, held }
}

/** Every client may choose who answers it; the copy may take as long as it likes. */
const PATIENT = {
  operations: { '*': { ...ROLLOUT.operations['*'], mayChoose: '*' } },
  limits: { ...ROLLOUT.limits, timeoutMs: 600_000 },
}

/** Sends reads and writes that either service answers. Returns who answered, with which status. */
async function callBoth(sides: SideBySide): Promise<readonly string[]> {
  const answers: string[] = []
  for (const side of ['legacy', 'v1']) {
    for (const [path, body] of [[IMPORT, { name: side, shipmentId: 'G1' }], [PACKAGE, parcel], [UNITS]] as const) {
      const { status, headers } = await sides.call(path, body, { 'x-gateway-serve': side })
      answers.push(`${headers['x-gateway-answered-by']} ${status}`)
    }
  }
  return answers
}
const ANSWERED = [...Array(3).fill('legacy 200'), ...Array(3).fill('v1 200')]

const metricsOf = async ({ adminUrl }: SideBySide): Promise<string> =>
  (await callLegacy(adminUrl, { path: '/metrics' })).text
const importsOf = async (sides: SideBySide, requests: number) =>
  (await sides.compared(requests)).operations.find(({ operation }) => operation === 'import-create')

describe('a copy that accepts calls and never answers', () => {
  it.each([
    ['writes', true],
    ['logins', false],
  ])('delays nobody: answers of both services arrive while it still holds the first of its %s', async (_, logsIn) => {
    const copy = await startHangingCopy(logsIn)
    const sides = await startCopied(copy.url, PATIENT)
    expect((await sides.call(IMPORT, { name: 'first', shipmentId: 'G1' })).status).toBe(200)
    await until(() => copy.held.size > 0)
    const [hung] = copy.held
    expect(await callBoth(sides)).toEqual(ANSWERED)
    // Nobody waited for it: it is the same call, and not answered yet.
    expect([...copy.held]).toEqual([hung])
    expect(copy.received).toHaveLength(logsIn ? 2 : 1)
  })

  it.each([
    ['writes', true],
    ['logins', false],
  ])(
    'leaves writes unjudged as copy: timeout, in the evidence, the metrics, the page and one line: %s',
    async (_, logsIn) => {
      const copy = await startHangingCopy(logsIn)
      const sides = await startCopied(copy.url, { ...ROLLOUT, limits: { ...ROLLOUT.limits, timeoutMs: 200 } })
      for (const name of ['a', 'b', 'c']) {
        expect((await sides.call(IMPORT, { name, shipmentId: 'G1' })).status).toBe(200)
      }
      expect(await importsOf(sides, 3)).toMatchObject({
        ...{ unjudged: { 'copy: timeout': 3 }, verdict: 'insufficient data', against: null, differences: [] },
        totals: { requests: 3, matched: 0, mismatched: 0, skipped: 3 },
      })
      const metrics = await metricsOf(sides)
      expect(metrics).toContain('legacy_gateway_copied_writes_total{operation="import-create",outcome="timeout"} 3\n')
      expect(metrics).toContain(
        'legacy_gateway_comparisons_unjudged_total{operation="import-create",cause="copy: timeout"} 3\n',
      )
      const page = await callLegacy(sides.adminUrl, { path: '/side-by-side/import-create' })
      expect(page.text).toContain('copy: timeout')
      expect(sides.gateway.log.filter(({ upstream }) => upstream === 'copy')).toMatchObject([
        { level: 40, operation: 'import-create', problem: 'timeout', writes: 1 },
      ])
      // Each was sent once, or not at all.
      const names = copy.received.filter(({ target }) => target !== LOGIN).map(({ body }) => body)
      expect(names).toHaveLength(logsIn ? 3 : 0)
      expect(new Set(names).size).toBe(names.length)
    },
  )
})

describe('a copy that refuses the account', () => {
  it('delays nobody: answers arrive while it thinks about it; then nothing is judged', async () => {
    const copy = await startHangingCopy(false)
    const sides = await startCopied(copy.url, PATIENT)
    expect((await sides.call(IMPORT, { name: 'first', shipmentId: 'G1' })).status).toBe(200)
    await until(() => copy.held.size > 0)
    expect(await callBoth(sides)).toEqual(ANSWERED)
    const [login] = copy.held
    login?.writeHead(401).end(REFUSED)
    const unjudged = { 'copy: refused the account': 2 }
    expect(await importsOf(sides, 6)).toMatchObject({ unjudged, verdict: 'insufficient data', differences: [] })
    expect(await metricsOf(sides)).toContain(
      'legacy_gateway_copied_writes_total{operation="import-create",outcome="refused the account"} 2\n',
    )
    const page = await callLegacy(sides.adminUrl, { path: '/side-by-side/import-create' })
    expect(page.text).toContain('copy: refused the account')
    expect(copy.received.map(({ target }) => target)).toEqual([LOGIN])
  })

  it('with a token that it gave gets one more login and the first write again, then each write once, and delays nobody', async () => {
    const copy = await startRecordedCopy((target) =>
      target === LOGIN ? { status: 200, body: TOKEN } : { status: 401, body: REFUSED },
    )
    const sides = await startCopied(copy.url)
    for (const name of ['a', 'b', 'c']) {
      expect((await sides.call(IMPORT, { name, shipmentId: 'G1' })).status).toBe(200)
    }
    expect(await importsOf(sides, 3)).toMatchObject({ unjudged: { 'copy: refused the account': 3 }, differences: [] })
    const sent = copy.received.filter(({ target }) => target !== LOGIN).map(({ body }) => JSON.parse(body).name)
    expect(sent).toEqual(['a', 'a', 'b', 'c'])
    expect(copy.received).toHaveLength(sent.length + 2)
  })
})

it('a copy gets a write after the client’s answer, never before', async () => {
  const waiting: (() => void)[] = []
  const legacy = await startHttpServer(({ target, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (target !== IMPORT) return void response.end('{"token":"t"}')
    const { name } = JSON.parse(body) as { readonly name: string }
    const created = JSON.stringify({ id: 7, name, shipmentId: 'G1', senderAddress: null, createdAt: null })
    // The last byte of the first answer is missing until it is asked for.
    response.write(created.slice(0, -1))
    if (name === 'first') waiting.push(() => response.end(created.slice(-1)))
    else response.end(created.slice(-1))
  })
  const copy = await startRecordedCopy()
  const sides = await startSideBySide(ROLLOUT, {
    legacyUrl: legacy.url,
    settings: () => ({ copy: copyAt(copy.url) }),
  })
  const events: string[] = []
  const write = (name: string) =>
    sides.call(IMPORT, { name, shipmentId: 'G1' }).then(({ status }) => events.push(`${name}: ${status}`))
  const written = (name: string): boolean =>
    copy.received.some(({ target, body }) => target !== LOGIN && JSON.parse(body).name === name)
  const first = write('first')
  await until(() => waiting.length === 1)
  await write('second')
  await until(() => written('second'))
  expect(written('first')).toBe(false)
  waiting[0]?.()
  await first
  await until(() => written('first'))
  expect(events).toEqual(['second: 200', 'first: 200'])
  await sides.compared(2)
  expect(copy.received.filter(({ target }) => target !== LOGIN)).toHaveLength(2)
})
