import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { closeAtEnd } from '../support/clean-up.ts'
import { DEMO, newDirectory, runReplay, startServices } from '../support/run-replay.ts'
import { DEMO_LOGIN } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

interface Recorded {
  readonly at: string
  readonly replica: string
  readonly client: string
  readonly operation: string
  readonly request: object
}

const ADDRESS = {
  ...{ firstName: 'Zeynepxq', lastName: 'Yıldırımxq', email: 'xq@example.com', phone: '+905559998877' },
  ...{ address1: 'Xq Sokağı 12', countryId: 57, zipCode: '10115', state: 'Berlin', city: 'Berlin' },
}

it('replicas record in one directory, with the same pseudonyms, and a replay counts their calls as those of one gateway', async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const directory = newDirectory()
  const start = (replicaId: string) =>
    startGateway(sandbox.v1Url, {
      legacyUrl: sandbox.legacyUrl ?? '',
      settings: { replicaId, tokenKeys: [Buffer.alloc(32, 7)], recordFile: directory },
    })
  const [a, b] = [await start('gateway-a'), await start('gateway-b')]
  // The token of one replica is good at the other.
  const login = await a.call({ path: '/auth/application', body: JSON.stringify(DEMO_LOGIN) })
  const { token } = JSON.parse(login.text) as { readonly token: string }
  const headers = { authorization: `Bearer ${token}` }
  for (const gateway of [a, b]) {
    for (const call of [
      { path: '/api/calculate/price/country/validate', body: JSON.stringify(ADDRESS), headers },
      { path: '/country/all?email=xq%40example.com&code=de', headers },
    ]) {
      expect((await gateway.call(call)).status).toBeLessThan(300)
    }
  }
  await a.close()
  await b.close()

  expect(readdirSync(directory).sort()).toEqual(['gateway-a.ndjson', 'gateway-b.ndjson'])
  const recordedBy = (replica: string): readonly Recorded[] =>
    readFileSync(join(directory, `${replica}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Recorded)
  const [ofA, ofB] = [recordedBy('gateway-a'), recordedBy('gateway-b')]
  expect([...ofA, ...ofB].map(({ replica, operation }) => `${replica} ${operation}`)).toEqual([
    ...['gateway-a auth', 'gateway-a validate-destination', 'gateway-a country-list'],
    ...['gateway-b validate-destination', 'gateway-b country-list'],
  ])
  const callsOf = (all: readonly Recorded[]) =>
    all.filter(({ operation }) => operation !== 'auth').map(({ client, request }) => ({ client, request }))
  expect(callsOf(ofB)).toEqual(callsOf(ofA))
  expect(JSON.stringify(ofB)).not.toMatch(/xq|Sokağı/i)

  const { legacyUrl, v1Url } = await startServices()
  const { json, errors } = await runReplay([directory, '--legacy', legacyUrl, '--v1', v1Url, ...DEMO])
  expect(errors).toContain('Replaying 5 exchanges of 2 files: ')
  const hours = new Set(ofB.concat(ofA).map(({ at }) => at.slice(0, 13))).size
  expect(json().operations.find(({ operation }) => operation === 'country-list')).toMatchObject({
    ...{ totals: { requests: 2, matched: 2 }, units: { distinct: hours } },
  })
}, 60_000)

it('each line names the key of its pseudonyms by a fingerprint of 12 hex digits, and not the key', async () => {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:' })
  closeAtEnd(() => sandbox.close())
  const directory = newDirectory()
  const textsOf = async (
    replicaId: string,
    byte: number,
  ): Promise<readonly [keys: readonly unknown[], text: string]> => {
    const gateway = await startGateway(sandbox.v1Url, {
      legacyUrl: sandbox.legacyUrl ?? '',
      settings: { replicaId, tokenKeys: [Buffer.alloc(32, byte)], recordFile: directory },
    })
    for (const code of ['de', 'fr']) await gateway.call({ path: `/country/all?email=xq%40example.com&code=${code}` })
    await gateway.close()
    const text = readFileSync(join(directory, `${replicaId}.ndjson`), 'utf8')
    return [
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly key?: string }).key),
      text,
    ]
  }
  const [[first, text], [same], [other]] = [await textsOf('a', 7), await textsOf('b', 7), await textsOf('c', 8)]
  expect(first).toEqual([expect.stringMatching(/^[\da-f]{12}$/), first[0]])
  expect(same).toEqual(first)
  expect(other).toEqual([expect.stringMatching(/^[\da-f]{12}$/), other[0]])
  expect(other).not.toEqual(first)
  for (const coding of ['hex', 'base64', 'base64url'] as const) {
    expect(text).not.toContain(Buffer.alloc(32, 7).toString(coding).slice(0, 12))
  }
})
