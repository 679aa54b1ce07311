import { type ClientRequest, request, type ServerResponse } from 'node:http'
import { expect, it, vi } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf, textOf } from '../support/read-html.ts'
import { startGateway, until } from '../support/start-gateway.ts'

const IMPORT = '/api/single/point/import'
const DOCUMENT = '/api/consignment/document'
const BODY = JSON.stringify({ name: 'Depo', shipmentId: 'G1' })
const MINUTE = 60_000

type Status = number | 'held'

/** Legacy, which answers calls by their ids: with 200, unless `statuses` says otherwise; and a gateway before it. */
async function start(statuses: Readonly<Record<string, Status>>) {
  const held: ServerResponse[] = []
  const legacy = await startHttpServer(({ headers }, response) => {
    const status = statuses[String(headers['x-request-id'])] ?? 200
    if (status === 'held') held.push(response)
    else response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":1}')
  })
  const gateway = await startGateway('http://127.0.0.1:1', { legacyUrl: legacy.url, settings: { serve: 'legacy' } })
  const admin = await gateway.openAdmin()
  const read = async (path: string): Promise<string> => (await callLegacy(admin, { path })).text
  const headersOf = (id: string, token: string) => ({ 'x-request-id': id, authorization: `Bearer ${token}` })
  return {
    ...{ legacy, held, gateway, read },
    send: async (id: string, { token = 't', path = IMPORT, body = BODY } = {}): Promise<number> =>
      (await gateway.call({ path, body, headers: headersOf(id, token) })).status,
    /** Sends a call whose answer nobody waits for. */
    begin(id: string): ClientRequest {
      const sent = request(gateway.url + IMPORT, { method: 'POST', agent: false, headers: headersOf(id, 't') })
      sent.on('error', () => undefined)
      return sent.end(BODY)
    },
    /** The repeats of which the log tells: the id of each, and of the first. */
    repeats: () =>
      gateway.log
        .filter(({ msg }) => msg === 'a write repeats one of unknown outcome')
        .map(({ requestId, first }) => [requestId, (first as { readonly requestId: string }).requestId]),
    hasEnded: (id: string) => until(() => gateway.log.some(({ msg, requestId }) => msg === 'call' && requestId === id)),
    /** The rows of an operation's page, once there are so many. */
    async rows(operation: string, count: number) {
      const page = () => read(`/side-by-side/${operation}`)
      await expect.poll(async () => rowsOf(await page(), 'repeated-writes').length).toBe(count)
      return { rows: rowsOf(await page(), 'repeated-writes'), html: await page() }
    },
  }
}

it('the page of the operation lists both request ids, times and statuses, and says how many were probably carried out twice', async () => {
  const { send, rows } = await start({ a1: 504, b1: 504 })
  const startedAt = Date.now()
  expect(await send('a1')).toBe(504)
  expect(await send('b1', { token: 'u' })).toBe(504)
  const betweenAt = Date.now()
  expect(await send('a2')).toBe(200)
  expect(await send('b2', { token: 'u' })).toBe(200)
  const endedAt = Date.now()

  const shown = await rows('import-create', 2)
  expect(textOf(shown.html)).toContain('2 writes were probably carried out twice.')
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(shown.rows.map(([, ...cells]) => cells)).toEqual([
    ['b1', time, '504', 'b2', time, '200', 'probably'],
    ['a1', time, '504', 'a2', time, '200', 'probably'],
  ])
  const table = shown.html.slice(shown.html.indexOf('<table id="repeated-writes"'))
  const times = Array.from(table.matchAll(/<time datetime="([^"]*)"/g), ([, at = '']) => Date.parse(at)).slice(0, 4)
  const [b1 = 0, b2 = 0, a1 = 0, a2 = 0] = times
  const inOrder = [startedAt, a1, b1, betweenAt, a2, b2, endedAt]
  expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other))
})

it('the sentence tells what was probably, what may have been, and what was not carried out twice', async () => {
  const { send, rows, read } = await start({ a1: 504, b1: 504, c1: 500, d1: 504, d2: 409 })
  for (const client of ['a', 'b', 'c', 'd']) {
    await send(`${client}1`, { token: client })
    await send(`${client}2`, { token: client })
  }
  const { rows: all, html } = await rows('import-create', 4)
  expect(textOf(html)).toContain(
    '2 writes were probably carried out twice; 1 write may have been carried out twice; 1 repeat was not carried out.',
  )
  expect(all.map((cells) => [cells[1], cells[3], cells[4], cells[6], cells[7]])).toEqual([
    ['d1', '504', 'd2', '409', 'no: the service did not carry out the repeat'],
    ['c1', '500', 'c2', '200', 'possibly'],
    ['b1', '504', 'b2', '200', 'probably'],
    ['a1', '504', 'a2', '200', 'probably'],
  ])
  expect(await read('/metrics')).toContain(
    'legacy_gateway_writes_repeated_after_unknown_total{operation="import-create"} 4\n',
  )
})

it('the same body for another operation is no repeat, and is sent on', async () => {
  const { send, repeats, rows, read, legacy } = await start({ first: 504 })
  await send('first')
  expect(await send('other', { path: DOCUMENT })).toBe(200)
  expect(await send('query', { path: `${IMPORT}?dry=1` })).toBe(200)
  expect(repeats()).toEqual([])
  expect(await send('again')).toBe(200)
  await rows('import-create', 1)
  expect(repeats()).toEqual([['again', 'first']])
  expect(await read('/side-by-side/document')).not.toContain('repeated-writes')
  // Without the gateway's own look at whether legacy is back.
  const ids = legacy.received.flatMap(({ headers }) => headers['x-request-id'] ?? [])
  expect(ids).toEqual(['first', 'other', 'query', 'again'])
})

it('a client that always sends the same body, and had no unknown outcome, repeats nothing', async () => {
  const { send, repeats, hasEnded, read } = await start({ refused: 422 })
  for (const id of ['a', 'refused', 'b', 'c']) await send(id)
  await hasEnded('c')
  expect(repeats()).toEqual([])
  expect(await read('/side-by-side/import-create')).not.toContain('Repeated after an unknown outcome')
  expect(await read('/metrics')).toContain(
    'legacy_gateway_writes_repeated_after_unknown_total{operation="import-create"} 0\n',
  )
})

it('a client that hung up during its repeat does not know that it succeeded: what it sends next is a repeat too', async () => {
  const { begin, held, send, repeats, hasEnded, read } = await start({ first: 504, again: 'held' })
  await send('first')
  const again = begin('again')
  await until(() => held.length === 1)
  again.destroy()
  await until(async () => (await read('/metrics')).includes('\nlegacy_gateway_connections 0\n'))
  held[0]?.writeHead(200).end('{"id":1}')
  await hasEnded('again')
  expect(await send('third')).toBe(200)
  expect(repeats()).toEqual([
    ['again', 'first'],
    ['third', 'first'],
  ])
  // Now it knows.
  expect(await send('fourth')).toBe(200)
  await hasEnded('fourth')
  expect(repeats()).toHaveLength(2)
})

it('a write is forgotten 15 minutes after its end', async () => {
  const { send, repeats, hasEnded } = await start({ first: 504, again: 504 })
  await send('first')
  const now = performance.now.bind(performance)
  let ahead = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
  try {
    ahead += 14 * MINUTE
    await send('again')
    await hasEnded('again')
    expect(repeats()).toEqual([['again', 'first']])
    ahead += 15 * MINUTE
    expect(await send('late')).toBe(200)
    await hasEnded('late')
    expect(repeats()).toHaveLength(1)
  } finally {
    clock.mockRestore()
  }
})
