import { describe, expect, test } from 'vitest'
import { withoutLoginSecrets } from '../../../src/data-plane/gateway/login/login-secrets.ts'

const secrets = { tokenName: 'token', tokens: ['tok-1', 'tok-2'], credentials: ['demo-client', 's3cret', '123456'] }
const shown = (json: string, more: Partial<typeof secrets> | { credentials: undefined } = {}): string =>
  Buffer.from(withoutLoginSecrets(Buffer.from(json), { ...secrets, ...more })).toString()
/** The value of `a`. */
const value = (json: string): unknown => (JSON.parse(shown(json)) as { a: unknown }).a

describe('an answer to a login is shown without', () => {
  test.each([
    ['the token', '{"token":"tok-1","id":1}', '{"token":"(token)","id":1}'],
    ['a token that nobody knows', '{"data":{"token":"x"}}', '{"data":{"token":"(token)"}}'],
    ['the token within a text', '{"a":"Bearer tok-2!"}', '{"a":"Bearer (token)!"}'],
    ['the token in escapes', '{"to\\u006ben":"t"}', '{"to\\u006ben":"(token)"}'],
    ['a token that is a number', '{"token":77}', '{"token":0}'],
    ['a token that is an object', '{"token":{"value":"x"},"a":1}', '{"token":{},"a":1}'],
    ['a token that is a list', '{"token":["x"]}', '{"token":[]}'],
    ['credentials', '{"message":"demo-client: s3cret is wrong"}', '{"message":"(credential): (credential) is wrong"}'],
    ['a credential that is a number', '{"a":123456}', '{"a":0}'],
    ['what is not JSON', '<b>s3cret</b>', '(not shown: not JSON)'],
  ])('%s', (_, json, expected) => expect(shown(json)).toBe(expected))

  test.each([
    ['another token', '{"refreshToken":"abc"}', 'abc'],
    ['what is in such a member', '{"session":{"id":"a","list":["hunter"]},"b":"c"}', 'hunter'],
    ['a password', '{"newPassword":"hunter"}', 'hunter'],
    ['a long text without words', `{"a":"${'a1'.repeat(20)}"}`, 'a1a1'],
    ['such a word in a text', `{"a":"see ${'a1'.repeat(20)} there"}`, 'a1a1'],
  ])('%s', (_, json, secret) => {
    expect(shown(json)).not.toContain(secret)
    expect(shown(json)).toMatch(/"~[\w-]{22}"/)
  })

  test('anything but its form, where the credentials could not be read', () => {
    const json = shown('{"message":"s3cret","expiresIn":60,"ok":true,"none":null,"empty":""}', {
      credentials: undefined,
    })
    expect(json).toMatch(/^\{"message":"~[\w-]{22}","expiresIn":60,"ok":true,"none":null,"empty":""\}$/)
  })
})

describe('what stays', () => {
  test.each([
    '{ "expiresIn" : 3600.00, "id":12345678901234567890,"ok":true,"none":null,"empty":"","list":[1,"a"],"o":{}}',
    '{"tokenType":"Bearer","tokenExpiresAt":"2026-11-28T20:00:00.000Z","expiresAt":"2026-11-28T20:00:00+00:00"}',
    '{"token":""}',
    '{"token":null}',
    '{"message":"Yetkilendirilemediniz, lütfen tekrar deneyin."}',
    '[]',
  ])('%s', (json) => expect(shown(json)).toBe(json))

  test('values that are equal stay equal, and values that differ stay different', () => {
    const [one, other] = ['{"a":"abcdefghijklmnopqrst1"}', '{"a":"abcdefghijklmnopqrst2"}']
    expect(value(one)).toBe(value(one))
    expect(value(one)).not.toBe(value(other))
    expect(value(one)).not.toBe('abcdefghijklmnopqrst1')
  })

  test('nothing of an answer that is empty', () => expect(shown('')).toBe(''))
})
