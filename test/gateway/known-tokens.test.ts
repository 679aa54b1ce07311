import { expect, test } from 'vitest'
import { knownTokens } from '../../src/gateway/login/known-tokens.ts'

const HASH = /^[\w-]{22}$/

test('a token is known by its login, by a service that accepted it, or not at all', () => {
  const tokens = knownTokens()
  tokens.issued('one', 'anna')
  expect(tokens.get('Bearer one')).toEqual({ clientId: 'anna', name: 'anna' })
  expect(tokens.accepted('Bearer one').name).toBe('anna')
  expect(tokens.get('Basic one')).toBe(undefined)
  const { name, clientId } = tokens.accepted('Bearer two')
  expect([clientId, HASH.test(name)]).toEqual([undefined, true])
  expect(tokens.get('Bearer two')?.name).toBe(name)
  expect(tokens.get('Bearer three')).toBe(undefined)
})

test('a token is the same however a header writes it', () => {
  const tokens = knownTokens()
  const { name } = tokens.accepted('bearer  one')
  expect(tokens.get('BEARER one ')?.name).toBe(name)
  tokens.issued('one', 'anna')
  for (const header of ['bearer  one', 'Bearer one', 'BEARER one ']) expect(tokens.get(header)?.name).toBe('anna')
})

test('the 20,000 tokens used last are known, whatever tokens clients invent', () => {
  const tokens = knownTokens()
  tokens.issued('kept', 'anna')
  tokens.issued('forgotten', 'berta')
  for (let n = 0; n < 19_999; n++) {
    if (n === 10_000) expect(tokens.get('Bearer kept')?.name).toBe('anna')
    tokens.issued(`token-${n}`, `client-${n}`)
    // A token that no service issued or accepted takes no place.
    tokens.get(`Bearer garbage-${n}`)
  }
  expect(tokens.get('Bearer forgotten')).toBe(undefined)
  expect(tokens.get('Bearer kept')?.name).toBe('anna')
  expect(tokens.get('Bearer token-0')?.name).toBe('client-0')
})

test('a name of more than 200 characters is not kept', () => {
  const tokens = knownTokens()
  tokens.issued('one', 'x'.repeat(201))
  expect(tokens.get('Bearer one')).toBe(undefined)
})
