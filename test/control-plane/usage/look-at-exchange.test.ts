import { expect, it } from 'vitest'
import { type LookedAt, lookAtExchange } from '../../../src/control-plane/usage/look-at.ts'
import { NOTHING_SEEN } from '../../../src/control-plane/usage/usage.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'

const LARGE = Buffer.alloc(256 * 1024 + 1)
const request = { method: 'POST', path: '/a', query: '', headers: {}, body: Buffer.from('') }

/** Returns how an exchange is looked at; undefined: not at all. */
async function lookedAt(exchange: Partial<Exchange>): Promise<LookedAt | undefined> {
  let seen: LookedAt | undefined
  await lookAtExchange({ request, ...exchange } as Exchange, (call) => {
    seen = call
    return NOTHING_SEEN
  })
  return seen
}

it('large bodies are not parsed, large requests not looked at, and neither are answers that cannot be decoded', async () => {
  const answer = async (body: Uint8Array) => ({ status: 200, body, failure: undefined, milliseconds: 1 })
  const small = () => answer(Buffer.from('{}'))
  expect((await lookedAt({ answer: () => answer(LARGE) }))?.answer).toEqual({ status: 200, body: undefined })
  expect(await lookedAt({ answer: small, request: { ...request, body: LARGE } })).toBeUndefined()
  expect(await lookedAt({ answer: () => Promise.reject(new Error('broken')) })).toBeUndefined()
  expect((await lookedAt({ answer: small }))?.answer.body).toEqual(Buffer.from('{}'))
})
