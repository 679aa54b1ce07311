import { describe, expect, it } from 'vitest'
import type { Operation } from '../../../src/mapping/operation.ts'
import { makeProbe, type Probe } from '../../../src/recordings/probe/probe.ts'
import type { RecordedExchange } from '../../../src/recordings/recorded-exchange.ts'
import { INVOICES, mapped } from './support.ts'

const OPERATIONS = [mapped('invoice-list'), mapped('country-list')]
const COUNTRIES = [
  { id: 8, code: 'DE', name: 'Almanya' },
  { id: 9, code: 'FR', name: 'Fransa' },
]
/** The example of a price shows nothing; the countries that were seen do. */
function answerTo({ path, body }: RecordedExchange): unknown {
  if (path.startsWith('/country')) return COUNTRIES
  if (path.startsWith('/api/invoice')) return INVOICES
  const { countryId } = JSON.parse(String(body))
  return COUNTRIES.some(({ id }) => id === countryId) ? [{ carrier: { id: countryId } }] : []
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Conversation {
  readonly budget?: number
  readonly perExchange?: number
  /** The calls that an exchange takes of each side. */
  readonly takes?: number
  /** The order in which exchanges under way end. */
  readonly next?: (underWay: RecordedExchange[]) => RecordedExchange | undefined
  readonly operations?: readonly Operation[]
}

/** Asks for every request of a probe, up to three at a time. */
async function ask({
  budget = 100,
  perExchange = 2,
  takes = 1,
  operations = OPERATIONS,
  next = (all) => all[0],
}: Conversation) {
  const probe = makeProbe(operations, { budget, perExchange })
  const requests: RecordedExchange[] = []
  let underWay: RecordedExchange[] = []
  let isOver = false
  const end = (): void => {
    const one = next(underWay)
    if (one === undefined) return
    underWay = underWay.filter((other) => other !== one)
    const body = Buffer.from(JSON.stringify(answerTo(one)))
    for (let call = 0; call < takes; call++)
      for (const side of ['control', 'candidate'] as const) probe.listener.asking(side)
    probe.listener.answered(one.line, { status: 200, body })
    probe.listener.ended(one.line)
  }
  const reading = (async () => {
    for await (const request of probe.entries(new AbortController().signal)) {
      requests.push(request)
      underWay.push(request)
      while (underWay.length >= 3) await turn()
    }
    isOver = true
  })()
  while (!isOver) {
    await turn()
    end()
  }
  await reading
  return { probe, requests: requests.map(({ path, body }) => `${path} ${body ?? ''}`) }
}

const spent = (probe: Probe): number => probe.spent().control

describe('a probe', () => {
  it('asks with values that the first answers showed, each request once', async () => {
    const { probe, requests } = await ask({ budget: 1_000 })
    expect(requests.slice(0, 2)).toEqual(['/api/invoice/list {}', '/country/all '])
    expect(requests).toContain('/api/invoice/list {"id":5}')
    expect(requests).toContain('/country/all?code=DE ')
    expect(probe.asked()).toHaveLength(requests.length)
    expect(probe.asked()[0]).toBe('invoice-list: no parameters')
    expect(probe.spent()).toEqual({ control: requests.length, candidate: requests.length, isCut: false })
    expect(requests.length).toBeGreaterThan(150)
  })

  it.each([
    [2, 1, 1],
    [30, 1, 30],
    [30, 2, 30],
    [31, 2, 30],
  ])('stays within its budget of %i calls, where an exchange takes %i', async (budget, takes, expected) => {
    const { probe } = await ask({ budget, takes })
    expect(spent(probe)).toBeLessThanOrEqual(budget)
    expect(spent(probe)).toBeGreaterThanOrEqual(expected - 1)
    expect(probe.spent().isCut).toBe(true)
  })

  it('asks the same whatever order the answers come in', async () => {
    const operations = [...OPERATIONS, mapped('price')]
    const first = await ask({ budget: 120, operations })
    const last = await ask({ budget: 120, operations, next: (all) => all.at(-1) })
    expect(last.requests).toEqual(first.requests)
    expect(first.requests.some((text) => text.includes('"countryId":8,"city":"no-such-value"'))).toBe(true)
  })

  it('ends on request, also while it waits for an answer', async () => {
    const stop = new AbortController()
    const probe = makeProbe(OPERATIONS, { budget: 100, perExchange: 2 })
    const entries = probe.entries(stop.signal)
    await entries.next()
    await entries.next()
    const waiting = entries.next()
    stop.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
  })
})
