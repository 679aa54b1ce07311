import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { newDirectory, runReplay, startServices } from '../support/run-replay.ts'
import { startGateway, until } from '../support/start-gateway.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'
const PARTS = '--x\r\nContent-Disposition: form-data; name="perPage"\r\n\r\n5\r\n--x--\r\n'
const JSON_TEXT = '{"search":"şey"}'
const LATIN_5 = 'application/json; charset=iso-8859-9'
const EMPTY_PAGE = '{"data":[],"meta":{"page":1,"perPage":5,"total":0,"pageCount":0}}'

/** A legacy service that also takes forms, which v1 does not. */
const startLegacy = () =>
  startHttpServer(({ headers, body }, response) => {
    const isTaken = headers['content-type'] !== FORM || body === 'perPage=5&search=%C5%9Fey'
    response.writeHead(isTaken ? 200 : 418, { 'content-type': 'application/json' })
    response.end(EMPTY_PAGE)
  })

/** Sends calls through a gateway that passes them on to the legacy service, and returns their recording. */
async function recordingOf(
  legacyUrl: string,
  v1Url: string,
  calls: readonly (readonly [type: string, body: string | Uint8Array])[],
) {
  const directory = newDirectory()
  const [file, rolloutFile] = [join(directory, 'traffic.ndjson'), join(directory, 'rollout.json')]
  writeFileSync(rolloutFile, '{"operations":{"*":{"serve":"legacy"}}}')
  const gateway = await startGateway(v1Url, { legacyUrl, settings: { recordFile: file, rolloutFile } })
  for (const [type, body] of calls) {
    const [media = '', coding] = type.split(' in ')
    const headers = { authorization: 'Bearer t', 'content-type': media, ...(coding && { 'content-encoding': coding }) }
    expect((await gateway.call({ path: '/api/invoice/list', body, headers })).status).toBe(200)
  }
  await until(() => readFileSync(file, 'utf8').split('\n').length > calls.length)
  await gateway.close()
  return file
}

const TOKENS = ['--legacy-token', 't', '--v1-token', 't', '--no-confirm']

it('a form that v1 refuses is recorded and replayed as a form, and differs as it does live', async () => {
  const legacy = await startLegacy()
  const { v1Url } = await startServices()
  const file = await recordingOf(legacy.url, v1Url, [[FORM, 'perPage=5&search=%C5%9Fey']])
  const { exit, json } = await runReplay([file, '--legacy', legacy.url, '--v1', v1Url, ...TOKENS])
  expect(legacy.received.findLast(({ method }) => method === 'POST')).toMatchObject({
    body: 'perPage=5&search=%C5%9Fey',
    headers: { 'content-type': FORM },
  })
  expect(json().totals).toMatchObject({ requests: 1, mismatched: 1 })
  expect(exit).toBe(1)
}, 60_000)

it.each([
  ['a gzip body', 'application/json in gzip', gzipSync(JSON_TEXT)],
  ['a body in ISO-8859-9', LATIN_5, Buffer.from('{"search":"\xfeey"}', 'latin1')],
])(
  'a call with %s is not replayed as a plain one, which the service may answer otherwise',
  async (_, type, body) => {
    const legacy = await startLegacy()
    const { v1Url } = await startServices()
    const file = await recordingOf(legacy.url, v1Url, [[type, body]])
    expect(readFileSync(file, 'utf8')).toContain('"bodyOmitted":"sent in a content coding, or in another charset"')
  },
  60_000,
)

it('a body that is the same in its charset and in UTF-8 is recorded with its own type', async () => {
  const legacy = await startLegacy()
  const { v1Url } = await startServices()
  const file = await recordingOf(legacy.url, v1Url, [[LATIN_5, '{"search":"x"}']])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    request: { headers: { 'content-type': LATIN_5 }, body: { search: 'x' } },
  })
}, 60_000)

it('a call whose body cannot be recorded is named in the recording, not sent without it, and keeps the operation from ready', async () => {
  const legacy = await startLegacy()
  const { v1Url } = await startServices()
  const file = await recordingOf(legacy.url, v1Url, [[MULTIPART, PARTS]])
  const sent = legacy.received.length
  const ran = await runReplay([file, '--legacy', legacy.url, '--v1', v1Url, ...TOKENS])
  expect(readFileSync(file, 'utf8')).toContain('"bodyOmitted":"a multipart form"')
  expect(legacy.received.slice(sent).filter(({ target }) => target === '/api/invoice/list')).toEqual([])
  const why = 'its body is not recorded: a multipart form'
  expect(ran.errors).toContain(`${file}:1: ${why}\n`)
  const [invoices] = ran.json().operations
  expect(invoices).toMatchObject({ unjudged: { [why]: 1 }, uncompared: [{ reason: why, requests: 1, lines: [1] }] })
  expect(ran.exit).toBe(3)
}, 60_000)
