import { afterAll, beforeAll, expect, test } from 'vitest'
import { messages } from './list-client.ts'
import { type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import { ask, type ListBody } from './sandbox-client.ts'
import { documentBody, documents, packageBody, type ShipmentBody } from './shipment-requests.ts'

let sandbox: OpenSandbox
beforeAll(async () => {
  sandbox = await openSandbox()
})
afterAll(() => sandbox.close())

async function accepts(path: string, query: Record<string, string> = {}): Promise<ListBody<object>> {
  const url = `${path}?${new URLSearchParams(query)}`
  const reply = await ask<ListBody<object>>(sandbox, url, { token: sandbox.tokens.demo })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

async function refuses(path: string, parameter: string, value: string, [tr, en]: readonly [string, string]) {
  for (const [language, message] of [['tr', tr] as const, ['en', en] as const]) {
    const url = `${path}?${new URLSearchParams({ [parameter]: value })}`
    const reply = await ask(sandbox, url, { token: sandbox.tokens.demo, language })
    expect(reply.status).toBe(422)
    expect(reply.body).toEqual(validationFailed(language, { [parameter]: message }))
  }
}

test('a text parameter may have from 1 to a maximum of characters', async () => {
  const upTo16 = ['En fazla 16 karakter olabilir.', 'Must be at most 16 characters long.'] as const
  for (const [path, parameter, maximum, tooLong] of [
    ['/api/v1/finance/invoices', 'search', 255, messages.upTo255],
    ['/api/v1/public/shared/countries', 'search', 255, messages.upTo255],
    ['/api/v1/finance/invoices', 'number', 16, upTo16],
    ['/api/v1/public/shared/countries', 'code', 8, messages.upTo8],
    ['/api/v1/shared/currencies', 'codes', 3, messages.codes],
  ] as const) {
    await accepts(path, { [parameter]: 'ş' })
    await accepts(path, { [parameter]: 'ş'.repeat(maximum) })
    await refuses(path, parameter, 'ş'.repeat(maximum + 1), tooLong)
    await refuses(path, parameter, '', messages.empty)
  }
  expect((await accepts('/api/v1/shared/currencies', { codes: 'USD,eur,x,TR' })).items).toHaveLength(2)
  await refuses('/api/v1/shared/currencies', 'codes', 'USD,EURO', messages.codes)
})

test('a document shipment is one package of 0 x 0 x 0 cm and 0.5 kg, whatever is sent', async () => {
  const { packages, products } = packageBody()
  for (const facts of [{}, { packages, products }, { packages: [] }]) {
    const { status, body } = await post<ShipmentBody>(sandbox, documents, documentBody(facts))
    expect(status).toBe(201)
    expect(body.data.packages).toHaveLength(1)
    expect(body.data.packages[0]).toMatchObject({ length: 0, size: 0, height: 0, weight: 0.5 })
  }
})
