import { isUtf8 } from 'node:buffer'
import { beforeAll, describe, expect, test } from 'vitest'
import { failing } from '../../support/failing-inputs.ts'
import { isJsonObject, joined, parsed, tokensOf } from '../../support/json-text.ts'
import type { LegacyCall } from '../../support/legacy-client.ts'
import { startScripted } from '../../support/scripted-v1.ts'
import { deepJson, type OddJson, oddJson } from './json-corpus.ts'

/** Texts that are JSON, or nearly so, as v1 answers them. JSON.parse alone decides which are JSON. */
const texts = [...oddJson, ...deepJson]

test('some of the texts would be JSON if invalid UTF-8 bytes stood for characters', () => {
  const wouldBe = texts.filter(({ bytes }) => !isUtf8(bytes) && parsed(Buffer.from(Buffer.from(bytes).toString())))
  expect(wouldBe.length).toBeGreaterThan(15)
})

let call: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  call = await startScripted()
})

let tokens = 0
/** Lists are cached by token, so each text has a token of its own. */
const withNewToken = () => ({ authorization: `Bearer token-${tokens++}` })

const MALFORMED = {
  ...{ status: 500, headers: { 'x-gateway-error': 'malformed' } },
  text: '{"message":"Beklenmeyen bir hata oluştu."}',
}

/** Answers of v1 that contain a text, and the legacy answer if the whole is JSON. */
const answers: readonly {
  readonly where: string
  readonly path: string
  readonly v1: (text: Uint8Array) => Uint8Array
  readonly legacy: (text: Uint8Array) => Uint8Array
}[] = [
  {
    where: 'in a record',
    path: '/api/single/point/import',
    v1: (text) => joined('{"success":true,"data":{"id":1,"x":', text, ',"carrierShipmentId":"c"},"y":[]}'),
    legacy: (text) => joined('{"id":1,"x":', text, ',"shipmentId":"c","senderAddress":null,"createdAt":null}'),
  },
  {
    where: 'beside a record, where nobody looks',
    path: '/api/single/point/import',
    v1: (text) => joined('{"success":true,"message":', text, ',"data":{"id":1.0}}'),
    legacy: () => joined('{"id":1.0,"senderAddress":null,"createdAt":null}'),
  },
  {
    where: 'under another name in a row',
    path: '/api/calculate/price',
    v1: (text) => joined('{"success":true,"items":[{"fuelSurcharge":', text, '}]}'),
    legacy: (text) => joined('[{"fuelSurcharges":', text, '}]'),
  },
  {
    where: 'as a timestamp, in an object, and where it is dropped',
    path: '/api/invoice/list',
    v1: (text) =>
      joined(
        ...['{"success":true,"items":[{"dateAt":', text, ',"currencyCode":', text, ',"organizationId":', text],
        '}],"meta":{"page":1,"perPage":25,"total":1,"pageCount":1}}',
      ),
    legacy: (text) =>
      joined(
        ...['{"data":[{"dateAt":', text, ',"currency":{"code":', text],
        '}}],"pagination":{"count":1,"page":1,"perPage":25,"lastPage":1}}',
      ),
  },
]

async function expectTranslation(
  legacy: LegacyCall,
  body: Uint8Array,
  translated: (typeof answers)[number]['legacy'],
  { bytes }: OddJson,
): Promise<void> {
  const { reply } = await call(legacy, { status: 200, body })
  if (parsed(body) === undefined) return expect(reply).toMatchObject(MALFORMED)
  expect(reply.status).toBe(200)
  expect(tokensOf(reply.text)).toBe(tokensOf(translated(bytes)))
}

describe.each(answers)('an answer of v1', ({ where, path, v1, legacy }) => {
  test(`with a JSON text ${where} is translated, or malformed as JSON.parse says`, async () => {
    const expectAnswer = (text: OddJson) => expectTranslation({ path, body: '{}' }, v1(text.bytes), legacy, text)
    expect(await failing(texts, expectAnswer)).toEqual([])
  })
})

test('a page of a whole list with a JSON text in a row is translated, or malformed as JSON.parse says', async () => {
  const row = (text: Uint8Array) => joined('[{"x":', text, '}]')
  const failed = await failing(texts, (text) => {
    const paging = ',"meta":{"page":1,"perPage":200,"total":1,"pageCount":1}}'
    const page = joined('{"success":true,"items":', row(text.bytes), paging)
    return expectTranslation({ path: '/city/all', headers: withNewToken() }, page, row, text)
  })
  expect(failed).toEqual([])
})

describe('a JSON text as the whole answer of v1', () => {
  /** The gateway skips a byte order mark in front of the text. */
  const withoutMark = (bytes: Uint8Array): Uint8Array =>
    Buffer.from(bytes).toString('hex', 0, 3) === 'efbbbf' ? bytes.subarray(3) : bytes

  test('is an acknowledgement exactly if it is an object', async () => {
    const failed = await failing(texts, async ({ bytes }) => {
      const legacy = { path: '/api/calculate/price/country/validate', body: '{}' }
      const { reply } = await call(legacy, { status: 200, body: bytes })
      expect(reply).toMatchObject(isJsonObject(withoutMark(bytes)) ? { status: 204, text: '' } : MALFORMED)
    })
    expect(failed).toEqual([])
  })

  test.each<LegacyCall>([
    { path: '/auth/application', body: '{}' },
    { path: '/api/calculate/price', body: '{}' },
    { path: '/api/consignment/document', body: '{}' },
    { path: '/api/invoice/list', body: '{"perPage":500}' },
    { path: '/city/all' },
  ])('never passes for the promised answer of $path', async (legacy) => {
    const failed = await failing(oddJson, async ({ bytes }) => {
      const { reply } = await call({ ...legacy, headers: withNewToken() }, { status: 200, body: bytes })
      expect(reply).toMatchObject(MALFORMED)
    })
    expect(failed).toEqual([])
  })
})
