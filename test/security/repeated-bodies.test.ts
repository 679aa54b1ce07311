import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { logOf, servingAt, startService } from '../support/service-process.ts'
import { until } from '../support/start-gateway.ts'

const DOCUMENT = '/api/consignment/document'
const IMPORT = '/api/single/point/import'
const SECRET = 'Xq7secret7qX'
/** A secret in every member, of the mapping or not. */
const BODY = JSON.stringify({
  ...{ name: SECRET, shipmentId: SECRET, description: SECRET, gsm: SECRET, undeclared: { inside: [SECRET] } },
  ...{ referenceNumbers: [SECRET], recipientAddress: { name: SECRET, address: SECRET } },
})

/** A service that fails each first call of a client's write, without saying that it did nothing. */
const startFailing = () =>
  startHttpServer(({ headers }, response) => {
    const isFirst = String(headers['x-request-id']).startsWith('first')
    response.writeHead(isFirst ? 504 : 200, { 'content-type': 'application/json' })
    response.end('{"success":true,"message":"","data":{"id":1}}')
  })

/** The texts of the pages, and of all that they link to. Without guides: each shows its client's last successful call, redacted as in a recording. */
async function crawl(admin: string, paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const pages: Record<string, string> = {}
  const left = [...paths]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (pages[path] !== undefined || path.includes('/guide')) continue
    const { text } = await callLegacy(admin, { path })
    pages[path] = text
    for (const [, linked = ''] of text.matchAll(/href="(\/[^"#]*)/g)) left.push(linked.replaceAll('&amp;', '&'))
  }
  return pages
}

it('of the bodies of repeated writes, which either service failed, nothing is in a page, the log, the metrics or the state', async () => {
  const [v1, legacy] = [await startFailing(), await startFailing()]
  const folder = mkdtempSync(join(tmpdir(), 'repeated-bodies-'))
  removeAtEnd(folder)
  writeFileSync(join(folder, 'rollout.json'), '{"operations":{"import-create":{"serve":"v1"}}}')
  const gateway = startService('serve', {
    ...{ V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, LOG_LEVEL: 'trace', DRAIN_MS: '0' },
    ...{ STATE_DB: join(folder, 'state.db'), ROLLOUT_FILE: join(folder, 'rollout.json') },
  })
  const at = await servingAt(gateway)
  const send = (path: string, id: string) =>
    callLegacy(at.legacy, { path, body: BODY, headers: { 'x-request-id': id, authorization: 'Bearer t' } })
  for (const [path, id] of [
    [DOCUMENT, 'document'],
    [IMPORT, 'import'],
  ] as const) {
    expect((await send(path, `first-${id}`)).headers['x-gateway-outcome']).toBe('unknown')
    expect((await send(path, `again-${id}`)).status).toBe(200)
  }
  await until(() => logOf(gateway).filter(({ msg }) => msg === 'a write repeats one of unknown outcome').length === 2)
  const isShown = async (operation: string): Promise<boolean> =>
    (await callLegacy(at.admin, { path: `/side-by-side/${operation}` })).text.includes('<code>again-')
  await until(async () => (await isShown('document')) && (await isShown('import-create')))
  const pages = await crawl(at.admin, [
    '/',
    '/metrics',
    '/experiments',
    '/side-by-side/document',
    '/side-by-side/import-create',
  ])
  gateway.child.kill('SIGTERM')
  expect(await gateway.exit).toBe(0)

  const places: Record<string, string> = { ...pages, output: gateway.output() + gateway.errors() }
  for (const name of readdirSync(folder)) places[name] = readFileSync(join(folder, name)).toString('latin1')
  const hash = createHash('sha256').update(BODY).digest()
  const forms = [SECRET, SECRET.toLowerCase(), Buffer.from(SECRET).toString('base64').slice(0, -2), BODY.slice(0, 12)]
  const hashes = (['hex', 'base64', 'base64url', 'latin1'] as const).map((coding) => hash.toString(coding))
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    [...forms, ...hashes].filter((form) => text.includes(form)).map((form) => `${place}: ${form}`),
  )
  expect(leaks).toEqual([])
  // Proves that these are places where they would show.
  expect(Object.keys(pages).length).toBeGreaterThan(20)
  expect(places['state.db']).toContain('import-create')
  expect(v1.received.concat(legacy.received).filter(({ body }) => body.includes(SECRET))).toHaveLength(4)
})
