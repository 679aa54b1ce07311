import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countRows, type OpenSandbox, openSandbox, post, validationFailed } from './open-sandbox.ts'
import { ask, type ErrorBody } from './sandbox-client.ts'

/** The kinds of fields: `text` must not be empty, `string` may be. */
export type Kind =
  | 'text'
  | 'string'
  | 'id'
  | 'count'
  | 'int'
  | 'number'
  | 'bool'
  | 'date'
  | 'list'
  | 'filled list'
  | 'object'

/** The fields of a body by path. A kind ends in `?` when the field may be left out, in `?null` when it may be null. */
export type Fields = Record<string, `${Kind}${'' | '?' | '?null'}`>

const required = { tr: 'Bu alan zorunludur.', en: 'This field is required.' }

const texts = ['1', '1.5', 'true', '[]', '["x"]', '{}', '1e400', '-0']
const numbers = [
  '"1"',
  '"NaN"',
  '"Infinity"',
  '"1e3"',
  'true',
  '[]',
  '[1]',
  '{}',
  '1e400',
  '-1e400',
  '-1',
  '1e18',
  '""',
]
/** Longer than any limit of a member; a whole megabyte is tried at one member of each operation. */
const tooLong = JSON.stringify('x'.repeat(64 * 1024))

const megabyte = JSON.stringify('x'.repeat(1024 * 1024))

/** Invalid JSON values for each kind of field, besides null. */
const wrong: Record<Kind, readonly string[]> = {
  text: [...texts, '""', '"  "', tooLong],
  string: [...texts, tooLong],
  id: [...numbers, '0', '-0', '1.5'],
  count: [...numbers, '0', '-0', '1.5'],
  int: [...numbers, '1.5'],
  number: numbers,
  bool: ['1', '0', '"true"', '""', '[]', '{}', '1e400', '-0'],
  date: ['1', '""', '"2025-1-1"', '"2025-02-30"', '"2025-01-01T00:00:00Z"', '[]', '{}', tooLong],
  list: ['1', 'true', '"x"', '""', '{}', '{"length":1}', `[${'1,'.repeat(30_000)}1]`],
  'filled list': ['1', 'true', '"x"', '""', '{}', '[]', `[${'{},'.repeat(30_000)}{}]`],
  object: ['1', 'true', '"x"', '""', '[]', '[{}]'],
}

/**
 * Tries everything that can be wrong with a body: any value at any field, no body, no JSON, no token. Each must be
 * refused with a 4xx in the error envelope, in both languages, and leave the store unchanged. `valid` must be accepted.
 */
export function refusesBadInput(path: string, makeValid: () => object, fields: Fields): void {
  let sandbox: OpenSandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  async function isRefused(body: string, at: string, message?: { tr: string; en: string }): Promise<void> {
    const before = countRows(sandbox)
    for (const language of ['tr', 'en'] as const) {
      const reply = await post<ErrorBody>(sandbox, path, body, { language })
      const context = `${at}: ${body.slice(0, 2000)} → ${reply.text.slice(0, 500)}`
      expect(reply.status, context).toBe(422)
      expect(reply.body, context).toEqual(
        validationFailed(language, { [at]: message?.[language] ?? expect.stringMatching(/^\S.+\.$/) }),
      )
    }
    expect(countRows(sandbox)).toEqual(before)
  }

  const [aText] = Object.entries(fields).find(([, kind]) => /^(text|string|date)/.test(kind)) ?? []
  describe('bad input', () => {
    test('is made from a body that is accepted, even with unknown members', async () => {
      const body = { ...makeValid(), unknown: { list: [null] }, organizationId: 2, constructor: 1, toString: 1 }
      const text = JSON.stringify(body).replace('{', '{"__proto__":{"id":7,"admin":true},')
      expect((await post(sandbox, path, text)).status).toBeLessThan(300)
    })

    test.each(Object.entries(fields))('at %s, a %s, is refused', async (field, declared) => {
      const [kind, optional] = declared.split('?') as [Kind, string | undefined]
      for (const json of wrong[kind]) await isRefused(bodyWith(makeValid(), field, json), field)
      if (field === aText) await isRefused(bodyWith(makeValid(), field, megabyte), field)
      const withNull = bodyWith(makeValid(), field, 'null')
      if (optional === 'null') expect((await post(sandbox, path, withNull)).status, withNull).toBeLessThan(300)
      else await isRefused(withNull, field, required)
    })

    const members = Object.entries(fields).filter(([field]) => !field.endsWith(']'))
    test.each(members)('without %s, a %s, is refused unless it is optional', async (field, declared) => {
      const body = bodyWith(makeValid(), field, undefined)
      if (!declared.includes('?')) return isRefused(body, field, required)
      expect((await post(sandbox, path, body)).status, body).toBeLessThan(300)
    })

    test('at all fields at once is named once per field', async () => {
      const top = Object.keys(fields).filter((field) => !/[.[]/.test(field))
      const { body } = await post<ErrorBody>(sandbox, path, Object.fromEntries(top.map((field) => [field, { x: [] }])))
      const named = body.errors?.map((error) => error.path.replace(/[.[].*/, ''))
      expect(new Set(named)).toEqual(new Set(top))
      expect(new Set(body.errors?.map((error) => error.path)).size).toBe(body.errors?.length)
    })

    test.each([
      ['no body', undefined],
      ['an empty body', ''],
      ['no JSON', '{"countryId":'],
      ['a list', '[{}]'],
      ['null', 'null'],
      ['a string', '"x"'],
      ['a number', '1e400'],
      ['brackets without end', '['.repeat(1_000_000)],
      ['brackets without end that close', '['.repeat(500_000) + ']'.repeat(500_000)],
    ])('instead of a body is refused as a whole: %s', async (_, body) => {
      const before = countRows(sandbox)
      const reply = await post<ErrorBody>(sandbox, path, body)
      expect(reply.status).toBe(422)
      expect(reply.body).toEqual(validationFailed('tr', { '': 'İstek gövdesi bir JSON nesnesi olmalıdır.' }))
      expect(countRows(sandbox)).toEqual(before)
    })

    test('with members in __proto__ only is refused for the missing fields', async () => {
      const body = `{"__proto__":${JSON.stringify(makeValid())}}`
      const reply = await post<ErrorBody>(sandbox, path, body)
      expect(reply.status).toBe(422)
      const onNothing = await post<ErrorBody>(sandbox, path, {})
      expect(reply.body).toEqual(onNothing.body)
    })

    test.each([
      ['no token', {}],
      ['an unknown token', { Authorization: 'Bearer x' }],
      ['another scheme', { Authorization: 'Basic x' }],
    ])('is not validated with %s: 401, in Turkish', async (_, headers) => {
      const reply = await ask<ErrorBody>(sandbox, path, { body: '{', headers, language: 'en' })
      expect(reply.status).toBe(401)
      expect(reply.body).toEqual({
        success: false,
        code: 'UNAUTHORIZED',
        message: 'Yetkilendirme başarısız: geçerli bir erişim anahtarı gerekiyor.',
      })
    })
  })
}

/** The body as JSON, with this JSON at the path; undefined removes the member. */
export function bodyWith(body: object, path: string, json: string | undefined): string {
  const mark = 'the mark that the JSON of the test replaces'
  const copy = structuredClone(body) as Record<string, unknown>
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  const last = keys.pop() ?? ''
  let holder = copy
  for (const key of keys) holder = holder[key] as Record<string, unknown>
  if (json === undefined) delete holder[last]
  else holder[last] = mark
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => json ?? '')
}
