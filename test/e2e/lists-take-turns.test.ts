import { describe, expect, it } from 'vitest'
import { type Received, startHttpServer } from '../support/http-server.ts'
import { startSideBySide } from '../support/side-by-side.ts'

const filterOf = ({ target }: Received): string => new URLSearchParams(target.split('?')[1]).get('code') ?? ''

interface Options {
  readonly serve: 'v1' | 'legacy'
  /** v1's rows have another name for these filters. */
  readonly isWrong?: (filter: string) => boolean
  /** Legacy fails for these filters. */
  readonly isDown?: (filter: string) => boolean
  /** How long v1 takes for a list. */
  readonly v1Ms?: number
  readonly queue?: number
  /** The share of calls that may stay unjudged. */
  readonly unjudged?: number
  readonly operation?: object
  readonly id?: string
}

/** Both services with one country for each filter. */
async function countries({ serve, isWrong, isDown, v1Ms = 0, queue = 256, operation, ...more }: Options) {
  const { id = 'country-list', unjudged } = more
  const row = (filter: string, name: string) => ({ id: 1, code: filter, name })
  const v1 = await startHttpServer((received, response) => {
    if (received.target.includes('auth')) return response.end('{"success":true,"data":{"token":"v"}}')
    const filter = filterOf(received)
    const items = [row(filter, isWrong?.(filter) === true ? 'wrong' : 'right')]
    const body = { success: true, items, meta: { page: 1, perPage: 200, total: 1, pageCount: 1 } }
    return setTimeout(() => response.end(JSON.stringify(body)), v1Ms)
  })
  const legacy = await startHttpServer((received, response) => {
    if (received.target.includes('auth')) return response.end('{"token":"l"}')
    const filter = filterOf(received)
    if (isDown?.(filter) === true) return response.writeHead(500).end('{}')
    return response.end(JSON.stringify([row(filter, 'right')]))
  })
  const rollout = {
    operations: { [id]: { serve, shadow: 1, confirm: false, target: 0.5, ...operation } },
    ignore: [{ operation: '*', path: '', kind: 'missing', why: 'not of interest' }],
    limits: { queue },
    ...(unjudged !== undefined && { unjudged }),
  }
  const sides = await startSideBySide(rollout, {
    ...{ v1Url: v1.url, legacyUrl: legacy.url, settings: () => ({ referenceTtlMs: 600_000 }) },
  })
  const call = async (filter: string): Promise<void> => {
    const path = filter === '' ? '/country/all' : `/country/all?code=${filter}`
    await sides.gateway.call({ method: 'GET', path })
  }
  const report = async (calls: number) => {
    const { operations } = await sides.compared(calls)
    return operations.find(({ operation }) => operation === id)
  }
  return { call, report, sides }
}

const filters = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `c${at}`)

describe('lists with different parameters', () => {
  it.each(['legacy', 'v1'] as const)(
    'are different also by the name of a parameter that v1 does not get (%s answers)',
    async (serve) => {
      const { call, report } = await countries({ serve })
      for (const filter of ['a', 'a', 'a&companyId=1', 'a&companyId=2', 'a&_=1', 'a&_=2']) await call(filter)
      const countryList = await report(6)
      expect(countryList?.lists).toMatchObject({ called: 3 })
      expect(countryList?.totals.matched).toBeGreaterThanOrEqual(3)
      const names = countryList?.coverage.notSent.map(({ legacy }) => legacy)
      expect(names?.toSorted()).toEqual(['_', 'companyId'])
    },
  )

  it.each(['legacy', 'v1'] as const)(
    'are each compared, however close the calls follow (%s answers)',
    async (serve) => {
      const { call, report } = await countries({
        serve,
        v1Ms: 5,
        isWrong: (filter) => Number(filter.slice(1)) % 2 === 1,
      })
      await Promise.all(filters(24).map(call))
      expect(await report(24)).toMatchObject({
        ...{ verdict: 'not ready', lists: { called: 24, neverCompared: {} } },
        totals: { requests: 24, matched: 12, ignored: 0, mismatched: 12, failed: 0, skipped: 0 },
      })
    },
  )

  it('say why calls for the same list are skipped, and the reason is true', async () => {
    const { call, report } = await countries({ serve: 'legacy', v1Ms: 50 })
    await Promise.all(['a', 'b', 'b', 'b', 'a'].map(call))
    const found = await report(5)
    expect(found?.totals).toMatchObject({ requests: 5, matched: 2, skipped: 3 })
    const { skips = {} } = found?.account ?? {}
    const reasons = [
      'a reading of the same list began less than 10 s before',
      'a call for the same list waits to be compared',
    ]
    expect(reasons).toEqual(expect.arrayContaining(Object.keys(skips)))
    expect(Object.values(skips).reduce((sum, one) => sum + one, 0)).toBe(3)
  })

  it('keep the operation from ready if one that clients call was never compared', async () => {
    const { call, report } = await countries({
      ...{ serve: 'v1', isDown: (filter) => filter === 'x' },
      ...{ operation: { target: 0.1 }, unjudged: 0.2 },
    })
    for (const filter of ['', ...filters(10), 'x']) await call(filter)
    const found = await report(12)
    // Of 12 calls, one could not be judged: that is within the limit.
    expect(found).toMatchObject({
      ...{ unjudged: { 'control: 500': 1 }, verdict: 'insufficient data' },
      ...{ lists: { called: 12, atLeast: false, neverCompared: { 'code (tr)': 1 } } },
      missing: ['1 of 12 lists were never compared: code (tr)'],
    })
    expect(JSON.stringify(found?.lists)).not.toContain('x"')
  })

  it('are not judged if too many wait, and that is said', async () => {
    const { call, report, sides } = await countries({ serve: 'legacy', v1Ms: 300, queue: 4 })
    await call('a')
    // What is asked of the admin port comes after the call: it is being compared.
    await sides.experiments()
    await Promise.all(['b', 'c', 'd', 'e'].map(call))
    const found = await report(5)
    expect(found).toMatchObject({
      ...{ unjudged: { 'dropped: too many lists': 2 }, lists: { called: 5, neverCompared: { 'code (tr)': 2 } } },
      ...{ verdict: 'insufficient data', totals: { matched: 3 } },
    })
    expect((await sides.experiments()).queue).toMatchObject({ length: 0, dropped: 2 })
  })

  it('are those of each client by itself, where v1 needs a token', async () => {
    const { sides, report } = await countries({ serve: 'legacy', id: 'city-list' })
    for (const clientId of ['one', 'other']) {
      const body = JSON.stringify({ clientId, secretKey: 's' })
      const { token } = JSON.parse((await sides.gateway.call({ path: '/auth/application', body })).text)
      const call = { method: 'GET', path: '/city/all?countryId=1', headers: { authorization: `Bearer ${token}` } }
      for (let times = 0; times < 2; times++) await sides.gateway.call(call)
    }
    const found = await report(4)
    expect(found).toMatchObject({
      totals: { requests: 4, skipped: 2, failed: 0 },
      lists: { called: 2, neverCompared: {} },
    })
  })
})
