import { beforeAll, describe, expect, test } from 'vitest'
import { failing } from '../../support/failing-inputs.ts'
import { isJsonObject, joined, parsed, tokensOf, valueWithoutNulls } from '../../support/json-text.ts'
import type { LegacyCall } from '../../support/legacy-client.ts'
import { type Outcome, startScripted } from '../../support/scripted-v1.ts'
import { deepJson, oddJson, realisticBody } from './json-corpus.ts'

/** Texts that are JSON, or nearly so, as a client sends them. JSON.parse alone decides which are JSON. */
const texts = [...oddJson, ...deepJson]

let call: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  call = await startScripted()
})

const emptyPage = {
  status: 200,
  body: Buffer.from('{"success":true,"items":[],"meta":{"page":1,"perPage":25,"total":0,"pageCount":0}}'),
}
const list = (body: Uint8Array): LegacyCall => ({ method: 'POST', path: '/api/invoice/list', body })
const price = (body: Uint8Array): LegacyCall => ({ method: 'POST', path: '/api/calculate/price', body })

const places = [
  { place: 'as the whole body', body: (text: Uint8Array) => text },
  { place: 'in a member', body: (text: Uint8Array) => joined('{"page":1,"x":', text, ',"perPage":25}') },
]

function expectRefusal({ reply, sent }: Outcome): void {
  expect(reply.status).toBe(400)
  expect(JSON.parse(reply.text)).toMatchObject({ message: expect.stringMatching(/\S/) })
  expect(sent).toEqual([])
}

test('the corpus has many texts of both kinds, and none twice', () => {
  const good = texts.filter(({ bytes }) => parsed(bytes) !== undefined)
  expect(good.length).toBeGreaterThan(70)
  expect(texts.length - good.length).toBeGreaterThan(250)
  expect(new Set(texts.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).size).toBe(texts.length)
})

/** Duplicate members are treated one by one (docs/decisions/0003): only those that are null are not sent. */
const NULL_THE_SECOND_TIME = '{"k":1,"k":null}'

describe.each(places)('each text $place', ({ body }) => {
  test('whose members become parameters is read or refused as JSON.parse says', async () => {
    const failed = await failing(texts, async ({ bytes }) => {
      const text = body(bytes)
      const outcome = await call(list(text), emptyPage)
      // An empty body, and an empty array, count as an empty object there.
      const value = parsed(text)?.value
      const isNone = text.length === 0 || (Array.isArray(value) && value.length === 0)
      if (!isNone && !isJsonObject(text)) return expectRefusal(outcome)
      expect(outcome.reply.status).toBe(200)
      expect(outcome.sent).toEqual([''])
    })
    expect(failed).toEqual([])
  })

  test('that is passed on without its nulls keeps every other token, or is refused', async () => {
    const others = texts.filter(({ name }) => name !== NULL_THE_SECOND_TIME)
    const failed = await failing(others, async ({ bytes }) => {
      const text = body(bytes)
      const outcome = await call(price(text), emptyPage)
      if (!isJsonObject(text)) return expectRefusal(outcome)
      expect(outcome.reply.status).toBe(200)
      const [sent = ''] = outcome.sent
      // Every token is unchanged; with nulls, at least the value.
      if (!Buffer.from(text).includes('null')) expect(tokensOf(sent)).toBe(tokensOf(text))
      else expect(JSON.parse(sent)).toEqual(valueWithoutNulls(parsed(text)?.value))
    })
    expect(failed).toEqual([])
    expect(others).toHaveLength(texts.length - 1)
  })

  test(`that is passed on keeps the first of ${NULL_THE_SECOND_TIME}`, async () => {
    const { sent } = await call(price(body(Buffer.from(NULL_THE_SECOND_TIME))), emptyPage)
    expect(sent).toEqual([Buffer.from(body(Buffer.from('{"k":1}'))).toString()])
  })
})

test.each([
  ['whose members become parameters', list],
  ['that is passed on', price],
])('a request body %s is refused wherever it is cut', async (_, request) => {
  const cut = Array.from({ length: realisticBody.length - 1 }, (_, at) => realisticBody.subarray(0, at + 1))
  const inputs = cut.map((bytes) => ({ name: `after ${bytes.length} bytes`, bytes }))
  expect(await failing(inputs, async ({ bytes }) => expectRefusal(await call(request(bytes), emptyPage)))).toEqual([])
  expect((await call(request(realisticBody), emptyPage)).reply.status).toBe(200)
})
