import { describe, expect, it } from 'vitest'
import { DEMO, IMPORT, line, replayOver, type Services, startServices } from '../support/run-replay.ts'

const recorded = [
  line(IMPORT, { name: 'spring', shipmentId: '1Z0001' }),
  line(IMPORT, { name: 'summer', shipmentId: '1Z0002' }),
  line(IMPORT, { name: 'spring', shipmentId: '1Z0003' }),
].join('')

const headers = { 'content-type': 'application/json' }

async function post(url: string, body: object, token?: string): Promise<{ readonly [name: string]: unknown }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { readonly [name: string]: unknown }
}

/** The id of an import that is created now, on each side. */
async function nextIds({ legacyUrl, v1Url }: Services): Promise<readonly [legacy: number, v1: number]> {
  const account = { clientId: 'demo-client', secretKey: 'demo-secret' }
  const legacyToken = (await post(`${legacyUrl}/auth/application`, account)).token as string
  const { token: v1Token } = (await post(`${v1Url}/api/v1/auth/application`, account)).data as { token: string }
  const name = `probe ${Math.random()}`
  const legacy = await post(`${legacyUrl}/api/single/point/import`, { name, shipmentId: 'x' }, legacyToken)
  const v1 = await post(`${v1Url}/api/v1/shipment/single-point-imports`, { name, carrierShipmentId: 'x' }, v1Token)
  return [legacy.id as number, (v1.data as { id: number }).id]
}

describe.concurrent('writes in a recording', { timeout: 60_000 }, () => {
  it('are not sent by default', async () => {
    const services = await startServices()
    const [legacy, v1] = await nextIds(services)
    const { exit, json } = await replayOver(services, recorded, [...DEMO, '--repeat-control'])
    expect(exit).toBe(3)
    expect(json().totals).toMatchObject({ requests: 3, skipped: 3 })
    expect(await nextIds(services)).toEqual([legacy + 1, v1 + 1])
  })

  it('are sent in order and once to each side with --include-writes, even with --repeat-control', async () => {
    const services = await startServices()
    const [legacy, v1] = await nextIds(services)
    const wanted = [...DEMO, '--include-writes', '--repeat-control', '--concurrency', '16']
    const { exit, json } = await replayOver(services, recorded, wanted)
    expect(await nextIds(services)).toEqual([legacy + 3, v1 + 3])
    // The third one's name is taken, on both sides alike.
    expect({ exit, totals: json().totals }).toMatchObject({
      exit: 3,
      totals: { requests: 3, mismatched: 0, failed: 0 },
    })
  })

  it('prove nothing if both sides refuse them alike, for example because of redaction', async () => {
    const services = await startServices()
    const refused = Array.from({ length: 12 }, (_, at) => line(IMPORT, { name: '', shipmentId: `~${at}` })).join('')
    const { exit, json } = await replayOver(services, refused, [...DEMO, '--include-writes', '--target', '0.5'])
    expect(exit).toBe(3)
    expect(json().operations).toMatchObject([
      {
        ...{ operation: 'import-create', verdict: 'insufficient data', matchRate: 0 },
        ...{ totals: { matched: 12, mismatched: 0 }, errors: { matched: 12, mismatched: 0 } },
        missing: ['units 0 of 5'],
      },
    ])
  })
})
