import { beforeAll, describe, expect, test } from 'vitest'
import { failing } from '../../support/failing-inputs.ts'
import { joined, parsed, tokensOf } from '../../support/json-text.ts'
import { startScripted } from '../../support/scripted-v1.ts'
import { deepJson, type OddJson, oddJson } from './json-corpus.ts'

let call: Awaited<ReturnType<typeof startScripted>>
beforeAll(async () => {
  call = await startScripted()
})

const list = { path: '/api/invoice/list', body: '{}' }
/** An unreadable 400 of v1. */
const UNREADABLE = { status: 400, text: '{"message":"İstek geçerli değil.","violations":[]}' }

describe('a JSON text as the whole error of v1', () => {
  test.each([
    [422, 400],
    [409, 409],
    [503, 500],
  ])('with status %i is a legacy error %i', async (status, expected) => {
    const failed = await failing([...oddJson, ...deepJson], async ({ bytes }) => {
      const { reply } = await call(list, { status, body: bytes })
      expect(reply.status).toBe(expected)
      expect(JSON.parse(reply.text)).toMatchObject({ message: expect.stringMatching(/\S/) })
    })
    expect(failed).toEqual([])
  })
})

/** Errors are read leniently: an invalid UTF-8 byte becomes a replacement character. */
describe('an error of v1 with a JSON text', () => {
  const refused = (status: number, before: string, { bytes }: OddJson, after = '}') => {
    const body = joined('{"success":false,"code":"BUSY",', before, bytes, after)
    return call(list, { status, body })
  }
  const readable = ({ bytes }: OddJson): Buffer => Buffer.from(Buffer.from(bytes).toString())

  test('in its params passes them unchanged', async () => {
    const failed = await failing(oddJson, async (odd) => {
      const { reply } = await refused(400, '"message":"Olmaz.","params":', odd)
      const text = readable(odd)
      if (parsed(text) === undefined) return expect(reply).toMatchObject(UNREADABLE)
      const params = tokensOf(text) === 'null' ? '' : `,"params":${tokensOf(text)}`
      expect(reply.status).toBe(406)
      expect(tokensOf(reply.text)).toBe(`{"message":"Olmaz."${params}}`)
    })
    expect(failed).toEqual([])
  })

  test('as its message, or as its code, is still an error', async () => {
    const failed = await failing(oddJson, async (odd) => {
      const value = parsed(readable(odd))?.value
      const { reply } = await refused(409, '"message":', odd)
      expect(reply.status).toBe(409)
      const message = typeof value === 'string' && value.trim() !== '' ? value : expect.stringMatching(/\S/)
      expect(JSON.parse(reply.text)).toEqual({ message })
      const coded = await refused(409, '"code":', odd)
      expect(coded.reply.status).toBe(409)
      expect(coded.reply.headers['x-gateway-code'] ?? 'NONE').toMatch(/^\w+$/)
    })
    expect(failed).toEqual([])
  })

  test('in its errors is still a list of violations', async () => {
    const failed = await failing(oddJson, async (odd) => {
      const whole = await refused(422, '"errors":', odd)
      const item = await refused(422, '"errors":[{"path":"page","message":', odd, '}]}')
      for (const { reply } of [whole, item]) {
        expect(reply.status).toBe(400)
        const { violations } = JSON.parse(reply.text) as { readonly violations: readonly unknown[] }
        for (const violation of violations) {
          expect(violation).toEqual({ propertyPath: 'page', message: expect.any(String) })
        }
      }
    })
    expect(failed).toEqual([])
  })
})
