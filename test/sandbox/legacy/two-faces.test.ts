import { afterEach, describe, expect, test } from 'vitest'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask, demo, logIn } from '../sandbox-client.ts'
import { documentBody, documents, imports, packageBody, packages, type ShipmentBody } from '../shipment-requests.ts'
import { askLegacy, type LegacyPage, logInToLegacy } from './legacy-client.ts'

const running: Sandbox[] = []
afterEach(() => Promise.all(running.splice(0).map((sandbox) => sandbox.close())))

async function start(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ host: '127.0.0.1', v1Port: 0, legacyPort: 0, db: ':memory:', ...options })
  running.push(sandbox)
  return sandbox
}

const loggedIn = async (sandbox: Sandbox) => ({
  v1: await logIn(sandbox, demo),
  legacy: await logInToLegacy(sandbox, demo),
})

describe('the legacy face', () => {
  test('has an address of its own', async () => {
    const sandbox = await start()
    expect(sandbox.legacyUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(sandbox.legacyUrl).not.toBe(sandbox.v1Url)
  })

  test('is off unless its port is given', async () => {
    const sandbox = await start({ legacyPort: undefined })
    expect(sandbox.legacyUrl).toBeUndefined()
    expect((await ask(sandbox, '/api/v1/public/shared/countries')).status).toBe(200)
  })

  test('on a port in use rejects with EADDRINUSE, names itself, and closes v1', async () => {
    const { legacyUrl, v1Url } = await start()
    const legacyPort = Number(new URL(legacyUrl ?? '').port)
    const [{ port: free }] = [new URL((await start()).v1Url)]
    await running.pop()?.close()
    await expect(start({ legacyPort, v1Port: Number(free) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Sandbox legacy: 127.0.0.1:${legacyPort} is already in use`,
    })
    await expect(fetch(`http://127.0.0.1:${free}/`)).rejects.toThrow()
    expect((await ask({ v1Url }, '/api/v1/public/shared/countries')).status).toBe(200)
  })

  test('is closed with the other', async () => {
    const sandbox = await start()
    await Promise.all([sandbox.close(), sandbox.close()])
    for (const url of [sandbox.v1Url, sandbox.legacyUrl ?? '']) await expect(fetch(url)).rejects.toThrow()
  })
})

describe('one store is behind both faces', () => {
  test('a shipment of either leaves a charge that legacy lists', async () => {
    const sandbox = await start()
    const tokens = await loggedIn(sandbox)
    const v1 = await ask<ShipmentBody>(sandbox, documents, { body: documentBody(), token: tokens.v1 })
    const legacy = await askLegacy<{ id: number }>(sandbox, '/api/consignment/document', {
      body: documentBody(),
      token: tokens.legacy,
    })
    expect([v1.status, legacy.status]).toEqual([201, 200])
    expect(legacy.body.id).toBeGreaterThan(v1.body.data.id)
    const { body } = await askLegacy<LegacyPage<{ transaction: { id: number } }>>(
      sandbox,
      '/api/transaction/charge/list',
      { body: { perPage: 2 }, token: tokens.legacy },
    )
    expect(body.data.map(({ transaction }) => transaction.id)).toEqual([legacy.body.id, v1.body.data.id])
  })

  test('an import of legacy can be used and completed in v1, and legacy then does not find it', async () => {
    const sandbox = await start()
    const tokens = await loggedIn(sandbox)
    const { body } = await askLegacy<{ id: number }>(sandbox, '/api/single/point/import', {
      body: { name: 'Both', shipmentId: 'GCCN-9' },
      token: tokens.legacy,
    })
    const used = await ask<ShipmentBody>(sandbox, packages, {
      body: packageBody({ singlePointImportId: body.id }),
      token: tokens.v1,
    })
    expect(used.body.data.singlePointImport).toEqual({ id: body.id, name: 'Both', carrierShipmentId: 'GCCN-9' })
    const completed = await ask(sandbox, `${imports}/${body.id}/complete`, { method: 'POST', token: tokens.v1 })
    expect(completed.status).toBe(200)
    const again = await askLegacy(sandbox, '/api/single/point/import/complete', {
      body: { id: body.id },
      token: tokens.legacy,
      language: 'en',
    })
    expect([again.status, again.body]).toEqual([406, { message: 'Single point import is not found.' }])
  })

  test('a draft that v1 left is reused by legacy', async () => {
    const sandbox = await start()
    const tokens = await loggedIn(sandbox)
    const failed = await ask(sandbox, documents, { body: documentBody({ senderAddressId: 3 }), token: tokens.v1 })
    expect(failed.status).toBe(400)
    const takenUp = await askLegacy<{ id: number }>(sandbox, '/api/consignment/document', {
      body: documentBody({ id: 5001 }),
      token: tokens.legacy,
    })
    expect([takenUp.status, takenUp.body.id]).toEqual([200, 5001])
  })
})
