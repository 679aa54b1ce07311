import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COUNTRIES, DEMO, fileOf, line, replayOver, startServices, UNITS } from '../support/run-replay.ts'
import { startSideBySide } from '../support/side-by-side.ts'

/** Invented; its check digits are right. */
const IDENTITY_NUMBER = '10000000146'

/** What older versions recorded in place of a personal value. */
const TOKEN = '~Y0RdXH8c1I1EbUYG4sWHPM'

const recipientAddress = {
  ...{ countryId: 57, firstName: 'Deneme', lastName: 'Alıcı', company: 'Örnek GmbH', email: 'alici@ornek.test' },
  ...{ phone: '+49 221 0000000', zipCode: '50667', state: 'NRW', city: 'Köln', address1: 'Musterweg 1' },
  // As long as it may be.
  address2: 'Hinterhof, dritte Tür '.padEnd(255, 'ü'),
}
const newSenderAddress = {
  ...{ title: 'Depo', county: { id: 443, name: 'Kadıköy' }, city: { id: 34, name: 'İstanbul' }, taxType: 1 },
  ...{ firstName: 'Deneme', lastName: 'Gönderici', phone: '05550000000', address1: 'Deneme Sk. 5' },
  tcNo: IDENTITY_NUMBER,
}
const document = { recipientAddress, isRecipientCompany: true, taxIdentificationNumber: 'DE000', senderAddressId: 1 }
const shipment = {
  ...{ recipientAddress, newSenderAddress, description: 'Tekstil', carrierId: 1, currencyId: 146, exportCodeId: 1 },
  packages: [{ length: 30, size: 20, height: 10, weight: 2, piece: 1 }],
  products: [
    {
      ...{ hsCode: '610910', description: 'Tişört', piece: 3, unitPrice: 12.5, originCountryCode: 'TR' },
      unitOfMeasure: { code: 'C62', name: 'Adet' },
    },
  ],
}

describe.concurrent('a redacted recording', { timeout: 60_000 }, () => {
  it('is accepted by both sides where the recorded calls were, writes too', async () => {
    const sides = await startSideBySide(
      { operations: { '*': { serve: 'legacy' } } },
      { settings: (folder) => ({ recordFile: join(folder, 'traffic.ndjson') }) },
    )
    for (const [path, body] of [
      ['/api/consignment/document', document],
      ['/api/consignment/package/advance', shipment],
      ['/api/calculate/price/country/validate', recipientAddress],
      ['/api/invoice/list', { perPage: 3 }],
      ['/country/all?email=alici%40ornek.test&code=de', undefined],
    ] as const) {
      const answer = await sides.call(path, body)
      expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
    }
    await sides.gateway.close()
    const recording = readFileSync(join(sides.folder, 'traffic.ndjson'), 'utf8')
    expect(recording).not.toMatch(/Alıcı|alici|Gönderici|Deneme|10000000146|Musterweg|"~/)

    const { json } = await replayOver(await startServices(), recording, [...DEMO, '--include-writes'])
    const outcomes = json().operations.map(
      ({ operation, totals: { requests, failed, skipped }, errors, differences }) => ({
        ...{ operation, requests, failed, skipped, errors },
        refused: differences.filter(({ kind }) => kind === 'status'),
      }),
    )
    const accepted = { requests: 1, failed: 0, errors: { matched: 0, mismatched: 0 }, refused: [] }
    expect(outcomes).toEqual([
      { ...accepted, operation: 'auth', skipped: 1 },
      ...['validate-destination', 'document', 'package', 'invoice-list', 'country-list'].map((operation) => ({
        ...{ ...accepted, operation, skipped: 0 },
      })),
    ])
  })

  it('of older versions, with tokens in place of pseudonyms, is read as before', async () => {
    const old = { ...document, recipientAddress: { ...recipientAddress, firstName: TOKEN, email: TOKEN, phone: TOKEN } }
    const recorded = line('POST /api/consignment/document', old) + line(`${COUNTRIES}?email=${TOKEN}`)
    const { json } = await replayOver(await startServices(), recorded, [...DEMO, '--include-writes'])
    expect(json().totals).toMatchObject({ requests: 2, failed: 0, skipped: 0 })
  })

  it('proves nothing by writes that both sides refuse because redaction broke them, as tokens did', async () => {
    // A token is longer than an identity number.
    const broken = { ...shipment, newSenderAddress: { ...newSenderAddress, tcNo: TOKEN } }
    const recorded = Array.from({ length: 10 }, (_, comment) =>
      line('POST /api/consignment/package/advance', { ...broken, comment: String(comment) }),
    )
    const options = [...DEMO, '--include-writes', '--target', '0.5']
    const { exit, json } = await replayOver(await startServices(), recorded.join(''), options)
    expect(exit).toBe(3)
    expect(json().operations).toMatchObject([
      {
        ...{ operation: 'package', verdict: 'insufficient data', matchRate: 0, units: { distinct: 0 } },
        errors: { matched: 10, mismatched: 0 },
      },
    ])
  })
})

/** A line of a recording that says who called and when. */
const called = (client: string, at: string, request: string): string =>
  JSON.stringify({ ...(JSON.parse(line(request)) as object), client, at })

describe.concurrent('a unit of a replay', { timeout: 60_000 }, () => {
  const [nine, half, ten] = ['2025-01-01T09:00:00Z', '2025-01-01T09:59:59Z', '2025-01-01T10:00:00Z'] as const

  it('is one client’s equal requests within an hour, by the recorded times', async () => {
    const recorded = [
      ...[called('a', nine, UNITS), called('a', half, UNITS), called('a', ten, UNITS), called('b', nine, UNITS)],
      ...[called('b', half, `${UNITS}?_=1`), called('b', half, `${UNITS}?sortBy=code`)],
    ].join('\n')
    const { json } = await replayOver(await startServices(), recorded)
    expect(json().operations).toMatchObject([
      {
        ...{ totals: { matched: 6 }, units: { distinct: 4, mismatched: 0 }, inputs: { distinct: 2 } },
        clients: { distinct: 2, largestShare: 0.5 },
        ...{ since: '2025-01-01T09:00:00.000Z', until: '2025-01-01T10:00:00.000Z' },
      },
    ])
  })

  it('is as fresh as its comparison, however long ago it was recorded', async () => {
    const rollout = fileOf(JSON.stringify({ operations: { '*': { target: 0.01 } }, fresh: '1d' }))
    const env = { ROLLOUT_FILE: rollout }
    const { exit, json } = await replayOver(await startServices(), called('a', nine, UNITS), DEMO, env)
    expect([exit, json().operations[0]?.verdict]).toEqual([0, 'ready'])
  })

  it('of a HAR is equal requests within an hour', async () => {
    const entries = [nine, half, ten, nine].map((startedDateTime) => ({
      ...{
        startedDateTime,
        request: { method: 'GET', url: 'https://legacy.example/api/unit/of/measure/all', headers: [] },
      },
    }))
    const { json } = await replayOver(await startServices(), JSON.stringify({ log: { version: '1.2', entries } }))
    expect(json().operations).toMatchObject([
      { units: { distinct: 2 }, clients: { distinct: 0 }, since: '2025-01-01T09:00:00.000Z' },
    ])
  })

  it('of a file that says neither is a request, however often it comes', async () => {
    const bare = (request: string) => JSON.stringify({ ...(JSON.parse(line(request)) as object), at: undefined })
    const recorded = [UNITS, UNITS, COUNTRIES].map(bare).join('\n')
    const { json } = await replayOver(await startServices(), recorded)
    const neither = { units: { distinct: 1 }, clients: { distinct: 0 }, since: null }
    expect(json().operations).toMatchObject([neither, neither])
  })
})
