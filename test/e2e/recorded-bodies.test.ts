import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { newDirectory, runReplay, startServices } from '../support/run-replay.ts'
import { startGateway } from '../support/start-gateway.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'
const PARTS = '--x\r\nContent-Disposition: form-data; name="perPage"\r\n\r\n5\r\n--x--\r\n'
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
  calls: readonly (readonly [type: string, body: string])[],
) {
  const directory = newDirectory()
  const [file, rolloutFile] = [join(directory, 'traffic.ndjson'), join(directory, 'rollout.json')]
  writeFileSync(rolloutFile, '{"operations":{"*":{"serve":"legacy"}}}')
  const gateway = await startGateway(v1Url, { legacyUrl, settings: { recordFile: file, rolloutFile } })
  for (const [type, body] of calls) {
    const headers = { authorization: 'Bearer t', 'content-type': type }
    expect((await gateway.call({ path: '/api/invoice/list', body, headers })).status).toBe(200)
  }
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
