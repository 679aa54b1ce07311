import { describe, expect, it } from 'vitest'
import { operationCounts } from '../../../src/control-plane/evidence/tally/operation-counts.ts'
import type { Tally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { requestFacts } from '../../../src/exchange/request-facts.ts'
import { whyMalformed } from '../../../src/exchange/why-malformed.ts'
import { mappedExpectations } from './support/lines.ts'
import { criteriaOf, observe, only, reply } from './support/observing.ts'

const expectations = mappedExpectations('country-list')
const tally = (): Tally => createTally(() => criteriaOf(new Map([['country-list', expectations]])))

/** A call with its headers. `candidate`: v1's answer. */
const call = (
  client: string | undefined,
  headers: Record<string, string>,
  candidate: unknown = [{ id: 1 }],
  query = '',
) => ({
  ...observe({
    ...{ control: [{ id: 1 }], candidate, operation: 'country-list', expectations },
    request: { query, headers: {}, body: new Uint8Array() },
    ...{ countedClient: client, facts: requestFacts(headers) },
  }),
})

const shownBy = (of: Tally) => only(of).differences[0]?.shownBy

describe('a difference', () => {
  it('names the clients that show it, those with the most calls first, and what all their requests have and others lack', () => {
    const one = tally()
    for (let at = 0; at < 100; at++) one.record(call(`client-${at % 10}`, { accept: 'application/json' }))
    for (let at = 0; at < 12; at++) {
      one.record(
        call(at < 9 ? 'kargo' : 'depo', { 'content-encoding': 'gzip', accept: 'application/json' }, reply({}, 415)),
      )
    }
    expect(shownBy(one)).toMatchObject([
      {
        ...{ detail: '200 → 415', requests: 12 },
        clients: {
          named: [
            { client: 'kargo', requests: 9 },
            { client: 'depo', requests: 3 },
          ],
          others: 0,
          estimated: false,
        },
        common: [{ feature: 'Content-Encoding: gzip', others: 0, of: 100 }],
        says: [
          '200 → 415: shown by clients: kargo (9), depo (3)',
          '200 → 415: all 12 calls had Content-Encoding: gzip; none of the 100 other compared calls did',
        ],
      },
    ])
  })

  it('tells changes at one place apart, each with its own clients', () => {
    const one = tally()
    one.record(call('plain', {}))
    one.record(call('a', { 'content-encoding': 'br' }, reply({}, 415)))
    one.record(call('b', { 'content-type': 'text/plain; charset=iso-8859-9' }, reply({}, 400)))
    const told = Object.fromEntries(
      (shownBy(one) ?? []).map(({ detail, common }) => [detail, common.map(({ feature }) => feature)]),
    )
    expect(told['200 → 415']).toContain('Content-Encoding: br')
    expect(told['200 → 400']).toContain('charset=iso-8859-9')
  })

  it('finds a header that only some clients send, a member, and what a request lacks', () => {
    const one = tally()
    for (let at = 0; at < 10; at++) one.record(call('others', { 'accept-language': 'tr', 'user-agent': 'a' }))
    one.record(
      call(
        'a',
        { 'accept-language': 'tr', 'x-company': 'secret-1', 'user-agent': 'a' },
        [{ id: 2 }],
        'search=secret-2',
      ),
    )
    expect(shownBy(one)?.[0]?.common.map(({ feature }) => feature)).toEqual(['the member search', 'header x-company'])
    const other = tally()
    for (let at = 0; at < 10; at++) other.record(call('others', { 'accept-language': 'tr' }))
    other.record(call('a', {}, [{ id: 2 }]))
    expect(shownBy(other)?.[0]?.says).toContain(
      'the call had no Accept-Language; none of the 10 other compared calls did',
    )
    expect(JSON.stringify([one.exportCounts(), only(one)])).not.toContain('secret')
  })

  it('has nothing in common where the others have it too, or there are no others', () => {
    const one = tally()
    for (let at = 0; at < 10; at++) one.record(call('a', { 'x-a': '1' }, at < 3 ? [{ id: 2 }] : [{ id: 1 }]))
    expect(shownBy(one)).toMatchObject([{ requests: 3, common: [] }])
    const all = tally()
    all.record(call('a', { 'x-a': '1' }, [{ id: 2 }]))
    expect(shownBy(all)).toMatchObject([{ requests: 1, common: [], clients: { named: [{ client: 'a' }] } }])
  })

  it('names five clients, and says how many others there are', () => {
    const one = tally()
    for (let at = 0; at < 20; at++)
      for (let time = 0; time <= at; time++) one.record(call(`client-${at}`, {}, [{ id: 2 }]))
    expect(shownBy(one)?.[0]?.clients).toEqual({
      named: [19, 18, 17, 16, 15].map((at) => ({ client: `client-${at}`, requests: at + 1 })),
      ...{ others: 15, estimated: false },
    })
  })

  it('names no client where none is known, and nothing in results that older versions stored', () => {
    const one = tally()
    one.record(call(undefined, {}, [{ id: 2 }]))
    expect(shownBy(one)).toMatchObject([{ clients: { named: [], others: 0 } }])
    const [{ circumstances: _, ...before } = {}] = JSON.parse(JSON.stringify(one.exportCounts())) as Record<
      string,
      unknown
    >[]
    const other = tally()
    other.importCounts([operationCounts.parse(before)])
    expect(shownBy(other)).toEqual([])
    // What is known of new exchanges is not mixed with what was stored before.
    other.record(call('a', { 'content-encoding': 'br' }, [{ id: 2 }]))
    other.record(call('b', {}))
    expect(shownBy(other)).toMatchObject([
      { requests: 1, common: expect.arrayContaining([{ feature: 'Content-Encoding: br', others: 0, of: 1 }]) },
    ])
  })

  it('keeps no more than its bounds, whatever clients send', () => {
    const one = tally()
    for (let at = 0; at < 100; at++) {
      const headers = Object.fromEntries(Array.from({ length: 60 }, (_, nth) => [`x-${at}-${nth}`, 'v']))
      one.record(call('c'.repeat(10_000) + at, headers, [{ [`m${at}`]: 1 }]))
    }
    expect(JSON.stringify(one.exportCounts()[0]?.circumstances).length).toBeLessThan(200_000)
  })

  it('says what was wrong with a malformed answer of v1, whose kind of failure stays as it was', () => {
    const one = tally()
    one.record(call('a', {}, { status: 500, body: new Uint8Array(), failure: 'malformed', malformed: 'cut off' }))
    const [difference] = only(one).differences
    expect(difference).toMatchObject({ kind: 'failure', details: { malformed: 1 } })
    expect(difference?.shownBy[0]?.says).toContain('malformed: v1’s answer was malformed: cut off (1)')
  })
})

describe('the facts of a request', () => {
  it('are names and known values only', () => {
    expect(
      requestFacts({
        ...{ 'content-type': 'Application/JSON; charset="ISO-8859-9"', 'content-encoding': 'snappy-secret' },
        ...{
          accept: 'application/xml, */*',
          'accept-language': 'de-DE,tr',
          cookie: 'sid=secret',
          'x-tenant': 'secret',
        },
      }),
    ).toEqual([
      ...[
        'Content-Encoding: another',
        'Content-Type: application/json',
        'charset=iso-8859-9',
        'Accept: application/xml',
      ],
      ...['Accept-Language: de', 'header cookie', 'header x-tenant'],
    ])
    expect(requestFacts({ authorization: undefined })).toEqual([
      ...['no Content-Type', 'no Accept-Language', 'no Authorization'],
    ])
    expect(requestFacts({ 'content-type': 'text/secret; charset=secret' })).toContain('charset=another')
  })
})

describe('a malformed answer', () => {
  const latin5 = Buffer.from([0x5b, 0x22, 0xfe, 0x22, 0x5d])
  it.each([
    ['', undefined, 'empty'],
    [latin5, 'iso-8859-9', 'not UTF-8: it says charset=iso-8859-9'],
    [latin5, undefined, 'not UTF-8'],
    [' <!DOCTYPE html><p>secret', undefined, 'HTML or XML'],
    ['{"a":[1,', undefined, 'cut off'],
    ['{"a":"b', undefined, 'cut off'],
    ['secret', undefined, 'not JSON at byte 0'],
    ['{"a":secret}', undefined, 'not JSON within the first 1,000 bytes'],
    [`[${'1,'.repeat(1_000)}secret]`, undefined, 'not JSON after the first 1,000 bytes'],
    [Buffer.from([0x1f, 0x8b, 8]), undefined, 'gzip, which no Content-Encoding says'],
  ])('is told from others: %#', (body, charset, says) => {
    expect(whyMalformed(Buffer.from(body as string), charset)?.says).toBe(says)
  })

  it('is none if it is JSON', () => {
    expect(whyMalformed(Buffer.from('[1]'), undefined)).toBeUndefined()
  })
})
