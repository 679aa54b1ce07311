import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { type Settings, startGateway } from '../../support/start-gateway.ts'
import { startCollector } from '../../support/trace-collector.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const TRACE = 'a'.repeat(32)
const TRACEPARENT = `00-${TRACE}-${'b'.repeat(16)}-01`
const LIST = '/api/invoice/list'
const ELSEWHERE = '/elsewhere'

/** A gateway, and the trace headers that its services get. */
async function start(settings: Partial<Settings> = {}) {
  const v1 = await startHttpServer((_, response) => response.end(JSON.stringify(v1Page([], { perPage: 25 }))))
  const legacy = await startHttpServer((_, response) => response.end('{}'))
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url, settings })
  const traced = async (path: string, headers: Record<string, string | readonly string[]>) => {
    expect((await gateway.call({ path, body: '{}', headers })).status).toBe(200)
    const { traceparent, tracestate } = (path === LIST ? v1 : legacy).received.at(-1)?.headers ?? {}
    return { traceparent: String(traceparent ?? ''), tracestate }
  }
  return { traced }
}

describe('tracestate', async () => {
  const { traced } = await start()

  test.each([
    'a=1',
    'congo=t61rcWkgMzE, rojo=00f067aa0ba902b7',
    'a=1 \t,, 0tenant@system=x y:z;{}~',
    `${'k'.repeat(250)}=${'v'.repeat(256)}`,
    Array.from({ length: 32 }, (_, index) => `k${index}=v`).join(),
  ])('is passed on with its traceparent: %s', async (tracestate) => {
    for (const path of [LIST, ELSEWHERE]) {
      expect(await traced(path, { traceparent: TRACEPARENT, tracestate })).toEqual({
        traceparent: TRACEPARENT,
        tracestate,
      })
    }
  })

  test('is joined into one list when it is sent several times', async () => {
    const headers = { traceparent: TRACEPARENT, tracestate: ['a=1', 'b=2'] }
    expect((await traced(LIST, headers)).tracestate).toBe('a=1, b=2')
  })

  test.each([
    ['is empty', ''],
    ['is not a list', 'a'],
    ['has a key in upper case', 'A=1'],
    ['has an empty value', 'a='],
    ['has a value with an equals sign', 'a=b=c'],
    ['is not ASCII', 'a=\xfc'],
    ['has a malformed member', 'a=1,b,c=1'],
    ['has a key that is too long', `${'k'.repeat(257)}=1`],
    ['has more members than a list may have', Array.from({ length: 33 }, (_, index) => `k${index}=v`).join()],
    ['is longer than 512 bytes', `${'k'.repeat(200)}=${'v'.repeat(200)},${'l'.repeat(55)}=${'v'.repeat(55)}`],
  ])('does not reach v1 when it %s, but its traceparent does', async (_, tracestate) => {
    expect(await traced(LIST, { traceparent: TRACEPARENT, tracestate })).toEqual({ traceparent: TRACEPARENT })
  })

  test.each([
    ['missing', undefined],
    ['of another form', `00-${TRACE}`],
    ['of the invalid version ff', TRACEPARENT.replace('00', 'ff')],
    ['of an all-zero trace id', TRACEPARENT.replaceAll('a', '0')],
    ['of an all-zero span id', TRACEPARENT.replaceAll('b', '0')],
  ])('does not reach v1 with a traceparent that is %s, nor does the traceparent', async (_, traceparent) => {
    const headers = { tracestate: 'a=1', ...(traceparent !== undefined && { traceparent }) }
    expect(await traced(LIST, headers)).toEqual({ traceparent: '' })
  })
})

test('with a collector, tracestate is passed on with the gateway’s own spans, within the caller’s trace only', async () => {
  const collector = await startCollector()
  const tracing = { endpoint: new URL(collector.url), sampler: 'parentbased_always_on', ratio: 1 } as const
  const { traced } = await start({ tracing })
  for (const path of [LIST, ELSEWHERE]) {
    const { traceparent, tracestate } = await traced(path, { traceparent: TRACEPARENT, tracestate: 'a=Xstate' })
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!b{16})[\\da-f]{16}-01$`))
    expect(tracestate).toBe('a=Xstate')
    const other = await traced(path, { traceparent: `00-${TRACE}`, tracestate: 'a=Xstate' })
    expect(other.traceparent).toMatch(new RegExp(`^00-(?!${TRACE})[\\da-f]{32}-[\\da-f]{16}-01$`))
    expect(other.tracestate).toBeUndefined()
  }
  expect(await collector.spans(8)).toHaveLength(8)
  expect(collector.text()).not.toContain('Xstate')
})
