import { expect, test } from 'vitest'
import { knownTokens, type TokenOwner } from '../../../src/data-plane/gateway/login/known-tokens.ts'

const HASH = /^[\w-]{22}$/

test('a token is known by its login, by a service that accepted it, or not at all', () => {
  const tokens = knownTokens()
  tokens.issued('one', 'anna')
  expect(tokens.get('Bearer one')).toMatchObject({ clientId: 'anna', name: 'anna' })
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

/** Tokens, their time, and the owners that they told. */
function telling() {
  let time = 0
  const tokens = knownTokens(() => time)
  const told: TokenOwner[] = []
  tokens.onOwner((owner) => told.push(owner))
  const pass = (milliseconds: number): void => {
    time += milliseconds
  }
  return { tokens, told, pass }
}

const HOUR_MS = 3_600_000

test('the owner of a token is reported at its login, and once an hour while a service accepts it', () => {
  const { tokens, told, pass } = telling()
  tokens.issued('one', 'anna')
  tokens.issued('two', 'x'.repeat(201))
  tokens.accepted('Bearer three')
  const owner = { hash: expect.stringMatching(HASH), client: 'anna' }
  expect(told).toEqual([owner])
  pass(HOUR_MS - 1)
  tokens.accepted('Bearer one')
  pass(1)
  // A call that no service has accepted, because a brownout refused it for instance, keeps nothing.
  tokens.get('Bearer one')
  expect(told).toHaveLength(1)
  for (const header of ['Bearer one', 'bearer  one']) tokens.accepted(header)
  expect(told).toEqual([owner, owner])
  expect(new Set(told.map(({ hash }) => hash)).size).toBe(1)
})

test('what another process reports names a token at once, also one that was accepted before, and is not reported again', () => {
  const { tokens, told, pass } = telling()
  const other = telling()
  for (const token of ['one', 'two']) other.tokens.issued(token, 'anna')
  const { name } = tokens.accepted('bearer one')
  expect(HASH.test(name)).toBe(true)
  for (const owner of other.told) tokens.learn(owner)
  for (const header of ['bearer one', 'Bearer one', 'Bearer two']) {
    expect(tokens.get(header)).toMatchObject({ clientId: 'anna', name: 'anna' })
    expect(tokens.accepted(header).name).toBe('anna')
  }
  expect(told).toEqual([])
  pass(HOUR_MS)
  tokens.accepted('Bearer two')
  expect(told).toEqual(other.told.slice(1))
  // Names that read like others are marked here too.
  tokens.learn({ hash: told[0]?.hash ?? '', client: 'others' })
  expect(tokens.get('Bearer two')).toMatchObject({ clientId: 'others', name: 'id:others' })
})

test('a client that logs in for each call pushes out nobody: it has 1,000 tokens at most, the newest', () => {
  const tokens = knownTokens()
  tokens.issued('quiet', 'anna')
  for (let n = 0; n < 25_000; n++) tokens.issued(`token-${n}`, 'eager')
  expect(tokens.get('Bearer quiet')?.name).toBe('anna')
  const known = (n: number) => tokens.get(`Bearer token-${n}`)?.name
  expect([known(23_999), known(24_001), known(24_999)]).toEqual([undefined, 'eager', 'eager'])
  // One that another client gets is that client's, and makes room.
  tokens.issued('token-24500', 'anna')
  tokens.issued('token-25000', 'eager')
  expect([known(24_000), known(24_500), known(25_000)]).toEqual(['eager', 'anna', 'eager'])
})
