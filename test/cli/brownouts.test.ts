import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { BEGINS, brownoutRule, ENDS } from '../support/brownout-rule.ts'
import { startHttpServer } from '../support/http-server.ts'
import { runCommand } from '../support/run-command.ts'
import { wordsOf } from '../support/shell-words.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'

const INVOICES = '/api/invoice/list'
const TOKEN = 'a-token-of-the-admin'

/** Only the wall clock stands still: sockets and timers go on. */
beforeAll(() => vi.useFakeTimers({ toFake: ['Date'], now: BEGINS - 60_000 }))
afterAll(() => vi.useRealTimers())
beforeEach(() => void vi.setSystemTime(BEGINS - 60_000))

const start = (brownouts: readonly object[]): Promise<SideBySide> =>
  startSideBySide({ brownouts }, { settings: () => ({ adminToken: TOKEN }) })
const brownouts = ({ adminUrl }: SideBySide, ...words: readonly string[]) =>
  runCommand(['brownouts', ...words, '--admin', adminUrl], { ADMIN_TOKEN: TOKEN })

const NOT_STORED =
  'It is not stored, so only this gateway knows of it, and only until it stops. If STATE_DB is set, the gateway stores it as soon as it can.'

describe('legacy-gateway brownouts', () => {
  it('lists brownouts with the clients they affect, in the zone in which they were written, as a table and as JSON', async () => {
    const sides = await start([
      brownoutRule({ operations: ['invoice-list'] }),
      brownoutRule({
        from: '2027-05-04T06:00:00Z',
        to: '2027-05-04T07:00:00Z',
        percent: 2.5,
        of: 'clients',
        status: 410,
      }),
    ])
    vi.setSystemTime(BEGINS)
    await sides.call(INVOICES, {})
    vi.setSystemTime(ENDS)
    const { exit, output, errors } = await brownouts(sides)
    expect([exit, errors]).toEqual([0, ''])
    const [headings = '', first = '', second = '', note] = output
      .split('\n')
      .map((line) => line.replaceAll(/ {2,}/g, '  '))
    expect(headings.trim()).toBe('n  state  from  until  refuses  operations  clients  refused  call since')
    expect(first).toBe(
      '1  over  2027-05-03 09:00:00 +03:00  2027-05-03 10:00:00 +03:00  100 % of calls, 503  invoice-list  1  1  0',
    )
    expect(second).toMatch(
      /^2 {2}to come {2}2027-05-04 06:00:00 UTC {2}2027-05-04 07:00:00 UTC {2}2\.5 % of clients, 410 {2}all {2}[01] {2}– {2}–$/,
    )
    // From when the usage of 30 days is read, the first of these days; before, the start.
    expect(note).toMatch(
      /^Clients, by their calls in the 30 days before; of brownouts to come, since 2027-(04-04 00:00|05-03 05:59):00 UTC\.$/,
    )
    const json = await brownouts(sides, 'list', '--json')
    expect(JSON.parse(json.output).brownouts).toMatchObject([{ n: 1, clients: [{ refused: 1 }] }, { n: 2 }])
  })

  it('says when there are none', async () => {
    expect((await brownouts(await start([]))).output).toContain('There are no brownouts.')
  })

  it('says that calls may be missing while the gateway cannot read them', async () => {
    const report = { since: '2027-05-03T05:59:00Z', endedAt: null, incomplete: true, brownouts: [] }
    const one = { ...brownoutRule(), n: 1, state: 'over', until: '2027-05-03T07:00:00Z', clients: [] }
    const { url } = await startHttpServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...report, brownouts: [one] }))
    })
    const { output } = await runCommand(['brownouts', '--admin', url])
    expect(output).toContain('STATE_DB cannot be read now: calls of brownouts that have begun may be missing.')
  })

  it('says that there may be more clients than the gateway lists', async () => {
    const listed = Array.from({ length: 1_000 }, (_, at) => ({
      client: `client-${at}`,
      ...{ before: 1, refused: at < 900 ? 1 : 0, since: at < 20 ? 1 : 0 },
    }))
    const over = { ...brownoutRule(), state: 'over', until: '2027-05-03T07:00:00Z' }
    const all = listed.map((client) => ({ ...client, since: 1 }))
    const report = {
      ...{ since: '2027-05-03T05:59:00Z', endedAt: null },
      brownouts: [
        { ...over, n: 1, clients: listed.slice(1) },
        // Those that called since come first, so that none of them is missing.
        { ...over, n: 2, clients: listed },
        { ...over, n: 3, clients: all },
      ],
    }
    const { url } = await startHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(report))
    })
    const { output } = await runCommand(['brownouts', '--admin', url])
    const counts = output
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(/ {2,}/).slice(-3))
    expect(counts).toEqual([
      ['999', '899', '19'],
      ['at least 1,000', 'at least 900', '20'],
      ['at least 1,000', 'at least 900', 'at least 1,000'],
    ])
  })

  it('ends the running ones', async () => {
    const sides = await start([brownoutRule({ operations: ['invoice-list'] })])
    vi.setSystemTime(BEGINS)
    expect((await sides.call(INVOICES, {})).status).toBe(503)
    const { exit, output } = await brownouts(sides, 'end', '--why', 'a client cannot wait', '--by', 'Ada')
    expect([exit, output]).toEqual([0, `Ended: brownout 1. ${NOT_STORED}\n`])
    expect((await sides.call(INVOICES, {})).status).toBe(200)
    expect(sides.gateway.log).toContainEqual(expect.objectContaining({ by: 'Ada', why: 'a client cannot wait' }))
    const again = await brownouts(sides, 'end', '--why', 'again', '--json')
    expect(JSON.parse(again.output)).toMatchObject({ ended: [], why: 'again', by: expect.any(String) })
  })

  it('is shown in docs/brownouts.md with commands that work as written', async () => {
    const sides = await start([])
    const lines = readFileSync('docs/brownouts.md', 'utf8').match(/^node src\/cli\/bin\.js brownouts\b.*$/gm) ?? []
    const env = { ADMIN_PORT: new URL(sides.adminUrl).port, ADMIN_TOKEN: TOKEN }
    const said: string[] = []
    for (const line of lines) said.push((await runCommand(wordsOf(line), env)).output)
    expect(said).toEqual([
      expect.stringContaining('There are no brownouts'),
      expect.stringContaining('No brownout was under way'),
    ])
  })

  it('explains each error in words', async () => {
    const sides = await start([])
    const refused = await brownouts(sides, 'end', '--why', ' ')
    expect([refused.exit, refused.errors]).toEqual([1, expect.stringContaining('why must be text')])
    expect((await brownouts(sides, 'end')).exit).toBe(2)
    const nobody = await runCommand(['brownouts', '--admin', 'http://127.0.0.1:1'])
    expect([nobody.exit, nobody.errors]).toEqual([2, expect.stringContaining('no gateway answers')])
  })
})
