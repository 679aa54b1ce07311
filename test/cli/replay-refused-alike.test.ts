import { describe, expect, it } from 'vitest'
import { sumOf } from '../../src/control-plane/evidence/tally/call-account.ts'
import { type Received, startHttpServer } from '../support/http-server.ts'
import { textOf } from '../support/read-html.ts'
import { DEMO, fileOf, type Ran, runReplay } from '../support/run-replay.ts'

const INVOICES = '/api/invoice/list'
const ROWS = [{ id: 1 }]

interface Sides {
  /** The status of the nth call of each side, from 0; undefined: 200. */
  readonly legacy?: (nth: number) => number | undefined
  readonly v1?: (nth: number) => number | undefined
  readonly rows?: (nth: number) => readonly object[]
  /** How often each token is accepted. */
  readonly callsOfToken?: number
  /** How often a side lets the account log in. */
  readonly logins?: number
}

/** Two services that answer invoices alike, as long as they accept the token. */
async function services({ legacy, v1, rows = () => ROWS, callsOfToken = Infinity, logins = Infinity }: Sides = {}) {
  const sideOf = (
    status: Sides['v1'],
    loggedIn: (token: string) => object,
    listed: (rows: readonly object[]) => object,
  ) => {
    let nth = 0
    let issued = 0
    const uses = new Map<string, number>()
    const answer = ({ target, headers }: Received): readonly [number, object] => {
      if (target.includes('auth')) {
        if (issued >= logins) return [401, { message: 'no' }]
        return [200, loggedIn(`t${++issued}`)]
      }
      const token = String(headers.authorization)
      uses.set(token, (uses.get(token) ?? 0) + 1)
      if ((uses.get(token) ?? 0) > callsOfToken) return [401, { success: false, message: 'expired' }]
      const at = nth++
      const refused = status?.(at)
      if (refused === undefined) return [200, listed(rows(at))]
      return [refused, { success: false, error: { code: 'NO' }, message: 'no' }]
    }
    return { answer, issued: () => issued }
  }
  const meta = { page: 1, perPage: 25, total: 1, pageCount: 1 }
  const ofLegacy = sideOf(
    legacy,
    (token) => ({ token }),
    (data) => ({ data, pagination: {} }),
  )
  const ofV1 = sideOf(
    v1,
    (token) => ({ success: true, data: { token } }),
    (items) => ({ success: true, items, meta }),
  )
  const start = (side: { answer(received: Received): readonly [number, object] }) =>
    startHttpServer((received, response) => {
      const [status, body] = side.answer(received)
      response.writeHead(status).end(JSON.stringify(body))
    })
  const [legacyServer, v1Server] = [await start(ofLegacy), await start(ofV1)]
  const rollout = fileOf(
    JSON.stringify({
      operations: { '*': { target: 0.5 } },
      ignore: ['missing', 'extra', 'changed'].map((kind) => ({
        operation: '*',
        path: '',
        kind,
        why: 'not of interest',
      })),
    }),
  )
  const run = (
    content: string,
    options: readonly string[] = ['--legacy-token', 'a', '--v1-token', 'b'],
  ): Promise<Ran> =>
    runReplay([fileOf(content), '--legacy', legacyServer.url, '--v1', v1Server.url, '--concurrency', '1', ...options], {
      ROLLOUT_FILE: rollout,
    })
  return { run, logins: () => [ofLegacy.issued(), ofV1.issued()] }
}

interface Recorded {
  readonly status?: number | undefined
  readonly body?: object | undefined
}

/** So many calls, each with a page of its own. Five that match are proof enough of the target. */
const calls = (count: number, response: Recorded | undefined = { status: 200 }): string =>
  Array.from({ length: count }, (_, page) =>
    JSON.stringify({
      ...{ v: 1, at: '2025-01-01T00:00:00.000Z', operation: 'invoice-list' },
      request: { method: 'POST', path: INVOICES, headers: {}, body: { page: page + 1 } },
      ...(response !== undefined && { response }),
    }),
  ).join('\n')

/** The same calls as a HAR file. */
const har = (count: number, status: number): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: Array.from({ length: count }, (_, page) => ({
        startedDateTime: '2025-01-01T00:00:00.000Z',
        request: {
          ...{ method: 'POST', url: `http://a${INVOICES}`, headers: [] },
          postData: { mimeType: 'application/json', text: JSON.stringify({ page: page + 1 }) },
        },
        response: { status, content: { size: 2, text: '{}' } },
      })),
    },
  })

const from = (first: number, status: number) => (nth: number) => (nth >= first ? status : undefined)
const both = (status: (nth: number) => number | undefined) => ({ legacy: status, v1: status })
const operation = (ran: Ran) => ran.json().operations.find((one) => one.operation === 'invoice-list')

describe.concurrent('what both services refuse alike proves nothing', { timeout: 60_000 }, () => {
  it.each([401, 403])('%i, whoever asks: whatever was recorded, it is not judged', async (status) => {
    for (const recorded of [{ status: 200 }, { status }, undefined]) {
      const { run } = await services(both(from(5, status)))
      const ran = await run(calls(12, recorded))
      expect(ran.exit).toBe(3)
      expect(operation(ran)).toMatchObject({
        ...{ verdict: 'insufficient data', unjudged: { [`both refused: ${status}`]: 7 } },
        ...{ totals: { requests: 12, ignored: 5, mismatched: 0, failed: 0, skipped: 7 }, units: { distinct: 5 } },
        missing: [expect.stringMatching(/^judged \S+ % of 99 %$/)],
        account: { calls: 12, compared: 5, units: 5, repeated: 0, errors: 0, empty: 0 },
      })
      const says = `Both services refused 7 of 12 exchanges alike (${status}: 7), which proves nothing.`
      expect(ran.output.startsWith(`${says}\n`)).toBe(true)
      expect(textOf(ran.report('report.html'))).toContain(says)
      expect(ran.report('junit.xml')).toContain(
        'message="both sides refused 7 of 12 exchanges alike, which proves nothing"',
      )
    }
    const quick = await (await services(both(from(5, status)))).run(calls(12), [
      ...['--legacy-token', 'a', '--v1-token', 'b', '--until-difference'],
    ])
    expect(quick.exit).toBe(3)
  })

  it.each([400, 404, 406, 409])('%i, if the recording has a success', async (status) => {
    for (const content of [calls(12), har(12, 200), har(12, 302)]) {
      const { run } = await services(both(from(5, status)))
      const ran = await run(content)
      expect(ran.exit).toBe(3)
      expect(operation(ran)).toMatchObject({
        unjudged: { [`both refused: ${status}`]: 7 },
        verdict: 'insufficient data',
      })
    }
  })

  it('but an error that was recorded as an error shows how errors are translated, though it is no unit', async () => {
    for (const content of [calls(10, { status: 400 }), har(10, 400)]) {
      const { run } = await services(both(from(0, 400)))
      const ran = await run(content)
      expect(ran.exit).toBe(3)
      expect(operation(ran)).toMatchObject({ unjudged: {}, errors: { matched: 10 }, units: { distinct: 0 } })
      expect(ran.output).toMatch(/^Nothing was shown of invoice-list: every answer was an error or empty\.$/m)
    }
    const { run } = await services(both((nth) => (nth < 5 ? 400 : undefined)))
    const ran = await run(`${calls(5, { status: 400 })}\n${calls(12)}`)
    expect([ran.exit, operation(ran)?.verdict]).toEqual([0, 'ready'])
  })

  it('and if nothing says how calls were answered before, most of them may not be refused', async () => {
    const [most, some] = [await services(both(from(5, 404))), await services(both(from(7, 404)))]
    const refused = await most.run(calls(12, {}))
    expect(refused.exit).toBe(3)
    expect(operation(refused)).toMatchObject({
      ...{ refusals: 7, verdict: 'insufficient data' },
      missing: ['answers that are no refusal: both services refused 7 of 12 calls alike'],
    })
    expect(refused.output).toMatch(
      /^invoice-list: both services refused 7 of 12 compared exchanges alike, and nothing says/,
    )
    expect((await some.run(calls(12, {}))).exit).toBe(0)
  })

  it('within the limit of what may stay unjudged, an operation is ready, and it is said first all the same', async () => {
    const { run } = await services(both((nth) => (nth === 7 ? 404 : undefined)))
    const ran = await run(calls(100))
    expect([ran.exit, operation(ran)?.verdict]).toEqual([0, 'ready'])
    expect(
      ran.output.startsWith('Both services refused 1 of 100 exchanges alike (404: 1), which proves nothing.\n'),
    ).toBe(true)
  })

  it('nor do both services in maintenance: the legacy service failed', async () => {
    const ran = await (await services(both(from(5, 503)))).run(calls(12))
    expect(ran.exit).toBe(1)
    expect(operation(ran)).toMatchObject({ verdict: 'insufficient data', unjudged: { 'control: 503': 7 } })
  })

  it('nor services that limit how often they are asked, both or one', async () => {
    for (const sides of [both(from(5, 429)), { v1: from(5, 429) }]) {
      const ran = await (await services(sides)).run(calls(12))
      expect(ran.exit).toBe(3)
      expect(operation(ran)).toMatchObject({ unjudged: { 'asked to slow down': 7 }, totals: { mismatched: 0 } })
    }
  })

  it('nor a legacy service that limits how often it is asked', async () => {
    const ran = await (await services({ legacy: from(5, 429) })).run(calls(12))
    expect(ran.exit).toBe(3)
    expect(operation(ran)).toMatchObject({
      unjudged: { 'asked to slow down': 7 },
      totals: { mismatched: 0, failed: 0, skipped: 7 },
    })
  })

  it('nor empty answers, where the recording has content', async () => {
    const empty = (nth: number) => (nth >= 5 ? [] : ROWS)
    const recorded = { status: 200, body: { data: ROWS, pagination: {} } }
    const ran = await (await services({ rows: empty })).run(calls(12, recorded))
    expect(ran.exit).toBe(3)
    expect(operation(ran)).toMatchObject({ unjudged: { 'both empty, unlike the recording': 7 } })
    expect(ran.output).toMatch(/^Both services answered 7 of 12 exchanges without the content that the recording has/)
    const none = await (await services({ rows: () => [] })).run(calls(12), [
      ...['--legacy-token', 'a', '--v1-token', 'b', '--until-difference'],
    ])
    expect(none.exit).toBe(3)
    expect(none.output).toMatch(/^Nothing was shown of invoice-list/)
  })
})

describe.concurrent('a token that expires during a replay', { timeout: 60_000 }, () => {
  it('is renewed, if there is an account', async () => {
    const { run, logins } = await services({ callsOfToken: 5 })
    const ran = await run(calls(12), DEMO)
    expect(ran.exit).toBe(0)
    expect(operation(ran)).toMatchObject({ totals: { ignored: 12, skipped: 0 }, verdict: 'ready' })
    expect(logins()).toEqual([3, 3])
  })

  it('and if the account cannot log in again, that is said and tried no more', async () => {
    const { run, logins } = await services({ callsOfToken: 5, logins: 1 })
    const ran = await run(calls(12), DEMO)
    expect(ran.exit).toBe(3)
    expect(operation(ran)).toMatchObject({ unjudged: { 'both refused: 401': 7 } })
    expect(ran.output).toContain('v1: the login was refused (status 401), after its token had been refused.')
    expect(logins()).toEqual([1, 1])
  })

  it('and where every new token is refused too, each path leads to one login', async () => {
    const { run, logins } = await services(both(from(5, 401)))
    const ran = await run(calls(12), DEMO)
    expect(ran.exit).toBe(3)
    expect(logins()).toEqual([2, 2])
  })

  it('is named as the likely cause, if there is no account', async () => {
    const { run } = await services({ callsOfToken: 5 })
    const ran = await run(calls(12))
    expect(ran.exit).toBe(3)
    expect(ran.output).toContain('v1 answered 7 of 12 exchanges with 401: the token may have expired.')
  })
})

it('every exchange of a recording is in one total, with its cause', { timeout: 60_000 }, async () => {
  const { run } = await services(both((nth) => [undefined, undefined, 401, 404, 503][nth % 5]))
  const others = ['POST /api/single/point/import', 'POST /auth/application', 'GET /nowhere', 'HEAD /country/all'].map(
    (request) => {
      const [method, path] = request.split(' ')
      return JSON.stringify({ v: 1, operation: 'any', request: { method, path, headers: {} } })
    },
  )
  const ran = await run([calls(50), calls(50), ...others, ...others].join('\n'))
  const { operations, totals } = ran.json()
  expect(totals.requests).toBe(108)
  for (const { totals, unjudged, account } of operations) {
    const { requests, matched, ignored, mismatched, failed, skipped } = totals
    expect(matched + ignored + mismatched + failed + skipped).toBe(requests)
    expect(sumOf(unjudged) + sumOf(account.skips)).toBe(failed + skipped)
    expect(account).toMatchObject({ calls: requests, notDrawn: 0, compared: matched + ignored + mismatched })
    const { errors, empty, unitless, repeated, units } = account
    expect(errors + empty + unitless + repeated + units).toBe(account.compared)
  }
  expect(operation(ran)?.account).toMatchObject({ compared: 40, units: 20, repeated: 20 })
  expect(textOf(ran.report('report.html'))).toContain(
    '100 exchanges: 20 units; 20 equal to another of the same client and hour; 20 not judged (both refused: 401);',
  )
})
