import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/control-plane/evidence/report/report-json.ts'
import { type HttpServer, type Received, startHttpServer } from '../support/http-server.ts'
import { runCommand } from '../support/run-command.ts'
import { COUNTRIES, DEMO, fileOf, line, newDirectory, runReplay, UNSET } from '../support/run-replay.ts'
import { v1Page, v1Record } from '../support/v1-bodies.ts'

type Odd = (nth: number) => { readonly status: number; readonly headers?: Record<string, string> } | undefined

/** Two services that let everyone in and answer lists alike. `odd` may refuse v1's nth call, from 0, logins aside. */
async function services(odd: Odd = () => undefined) {
  let nth = 0
  const json = { 'Content-Type': 'application/json' }
  const legacy = await startHttpServer(({ target }, response) => {
    const page = { data: [{ id: 1 }], pagination: { count: 1, page: 1, perPage: 25, lastPage: 1 } }
    const body = target.includes('auth') ? { token: 'l' } : target.includes('invoice') ? page : [{ id: 1 }]
    response.writeHead(200, json).end(JSON.stringify(body))
  })
  const v1 = await startHttpServer(({ target }, response) => {
    if (target.includes('auth')) return response.writeHead(200, json).end(JSON.stringify(v1Record({ token: 'v' })))
    const refused = odd(nth++)
    if (refused !== undefined) {
      return response.writeHead(refused.status, { ...json, ...refused.headers }).end('{"success":false,"code":"NO"}')
    }
    const perPage = target.includes('invoices') ? 25 : 200
    return response.writeHead(200, json).end(JSON.stringify(v1Page([{ id: 1 }], { perPage })))
  })
  return { legacy, v1 }
}

const sides = ({ legacy, v1 }: Record<'legacy' | 'v1', HttpServer>) => ['--legacy', legacy.url, '--v1', v1.url]
const calls = (times: number): string =>
  fileOf(
    Array.from({ length: times }, (_, at) =>
      JSON.stringify({
        ...{ v: 1, at: '2025-01-01T00:00:00.000Z', operation: 'any', client: 'c' },
        request: { method: 'POST', path: '/api/invoice/list', headers: {}, body: { page: at + 1, search: `a${at}` } },
      }),
    ).join('\n'),
  )

/** What the calls say of themselves: what they are for, and whether they name an address. */
const said = (received: readonly Received[]) =>
  new Set(received.map(({ headers }) => `${headers['x-gateway-purpose']} ${headers['x-forwarded-for']}`))

describe('services learn what the calls of a command are for', { timeout: 60_000 }, () => {
  it('replay, its logins and second looks included; they have an id each, and no address', async () => {
    const both = await services()
    const { exit } = await runReplay([calls(3), ...sides(both), ...DEMO, '--repeat-control'])
    expect(exit).toBe(3)
    expect(both.legacy.received.length).toBe(7)
    for (const { received } of [both.legacy, both.v1]) {
      expect(said(received)).toEqual(new Set(['replay undefined']))
      expect(new Set(received.map(({ headers }) => headers['x-request-id'])).size).toBe(received.length)
    }
  })

  it('probe', async () => {
    const both = await services()
    const words = ['probe', '--report', newDirectory(), '--budget', '20', ...sides(both), ...DEMO]
    await runCommand(words, { ...UNSET })
    for (const { received } of [both.legacy, both.v1]) {
      expect(received.length).toBeGreaterThan(5)
      expect(said(received)).toEqual(new Set(['probe undefined']))
    }
  })
})

describe('a service that asks a replay to slow down', { timeout: 60_000 }, () => {
  it.each([429, 503])('is waited for, with %i and a time: only the calls under way are not judged', async (status) => {
    const both = await services((nth) => (nth === 5 ? { status, headers: { 'Retry-After': '1' } } : undefined))
    const started = performance.now()
    const ran = await runReplay([calls(12), ...sides(both), ...DEMO, '--concurrency', '1'])
    expect(performance.now() - started).toBeGreaterThan(900)
    const [invoices] = ran.json().operations
    expect(invoices).toMatchObject({
      unjudged: { 'asked to slow down': 1 },
      totals: { requests: 12, mismatched: 0, failed: 0, skipped: 1 },
    })
    expect(both.v1.received.filter(({ target }) => target.includes('invoices'))).toHaveLength(12)
  })

  it('says so for all calls that share the reading of a list', async () => {
    const both = await services(() => ({ status: 429, headers: { 'Retry-After': '1' } }))
    const ran = await runReplay([fileOf(line(COUNTRIES).repeat(4)), ...sides(both), ...DEMO, '--concurrency', '4'])
    const [countries] = ran.json().operations
    expect(countries).toMatchObject({ unjudged: { 'asked to slow down': 4 }, totals: { mismatched: 0, failed: 0 } })
  })

  it('is waited for by a replay of recorded answers too', async () => {
    const { v1 } = await services((nth) => (nth === 2 ? { status: 429, headers: { 'Retry-After': '1' } } : undefined))
    const page = { data: [{ id: 1 }], pagination: { count: 1, page: 1, perPage: 25, lastPage: 1 } }
    const recorded = readFileSync(calls(6), 'utf8')
      .split('\n')
      .map((text) => JSON.stringify({ ...JSON.parse(text), response: { status: 200, ms: 1, body: page } }))
    const ran = await runReplay([
      '--recorded',
      fileOf(recorded.join('\n')),
      '--v1',
      v1.url,
      ...DEMO,
      '--concurrency',
      '1',
    ])
    expect(ran.json().operations[0]).toMatchObject({
      unjudged: { 'asked to slow down': 1 },
      totals: { requests: 6, mismatched: 0, failed: 0, skipped: 1 },
    })
    expect(v1.received.filter(({ target }) => target.includes('invoices'))).toHaveLength(6)
    expect(said(v1.received)).toEqual(new Set(['replay undefined']))
  })

  it('is waited for by a probe', async () => {
    const both = await services((nth) => (nth === 5 ? { status: 429, headers: { 'Retry-After': '1' } } : undefined))
    const directory = newDirectory()
    const words = ['probe', '--report', directory, '--budget', '20', ...sides(both), ...DEMO]
    const started = performance.now()
    const { exit, errors } = await runCommand(words, { ...UNSET })
    expect(exit, errors).not.toBe(2)
    expect(performance.now() - started).toBeGreaterThan(900)
    const { operations } = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report
    const unjudged = operations.flatMap(({ unjudged }) => Object.keys(unjudged))
    expect(unjudged).toContain('asked to slow down')
    // The services answer all but lists wrongly; none of that is because v1 was asked too often.
    const details = operations.flatMap(({ differences }) => differences.map(({ details }) => details))
    expect(JSON.stringify(details)).not.toMatch(/429|slow down/)
  })

  it('does not let it log in: the message says why', async () => {
    const v1 = await startHttpServer((_, response) => response.writeHead(429, { 'Retry-After': '60' }).end())
    const { legacy } = await services()
    const ran = await runReplay([calls(1), ...sides({ legacy, v1 }), ...DEMO])
    expect(ran.exit).toBe(2)
    expect(ran.errors).toContain('v1: the login was not answered (asked to slow down)')
  })
})
