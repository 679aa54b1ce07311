import { describe, expect, it } from 'vitest'
import { openCopyAccount } from '../../../../src/control-plane/evidence/writes/copy-account.ts'
import type { ExchangeRequest, SideAnswer } from '../../../../src/exchange/exchange.ts'

const request = (path: string): ExchangeRequest => ({
  ...{ method: 'POST', path, query: '', headers: {}, body: new Uint8Array() },
})
const LOGIN = request('/login')
const WRITE = request('/write')

type Answer = Partial<SideAnswer> & { readonly token?: string }

/** An account at a copy that answers in turn; an error is no answer. Records what was asked, with which token. */
function account(...answers: readonly (Answer | Error)[]) {
  const asked: string[] = []
  const purposes = new Set<string | undefined>()
  let clock = 0
  const left = [...answers]
  const opened = openCopyAccount({
    async ask({ path }, authorization, _, purpose) {
      asked.push(authorization === undefined ? path : `${path} ${authorization}`)
      purposes.add(purpose)
      const next = left.shift() ?? {}
      if (next instanceof Error) throw next
      const { token, ...more } = next
      const body = Buffer.from(JSON.stringify({ token }))
      return { status: 200, body, failure: undefined, milliseconds: 1, v1Answer: { status: 200, body }, ...more }
    },
    login: {
      request: LOGIN,
      tokenIn: ({ status, body }) => (status < 300 ? JSON.parse(Buffer.from(body).toString()).token : undefined),
    },
    now: () => clock,
  })
  return {
    ...{ asked, purposes },
    write: () => opened.ask(WRITE, 5_000),
    pass(ms: number) {
      clock += ms
    },
  }
}

const failed = (kind: string): Error => Object.assign(new Error('no'), { kind })
/** How the gateway answers where v1 itself answered with this status. */
const v1 = (status: number): Answer => ({
  ...{ status: status >= 500 ? 500 : status, failure: status >= 500 ? 'unavailable' : undefined },
  v1Answer: { status, body: new Uint8Array() },
})

describe('the account at the copy', () => {
  it('logs in before the first write, and says what its calls are for', async () => {
    const { write, asked, purposes } = account({ token: 'a' })
    expect(await write()).toMatchObject({ status: 200 })
    expect(await write()).toMatchObject({ status: 200 })
    expect(asked).toEqual(['/login', '/write Bearer a', '/write Bearer a'])
    expect([...purposes]).toEqual(['copy'])
  })

  it('logs in once for writes that come together', async () => {
    const { write, asked } = account({ token: 'a' })
    await Promise.all([write(), write(), write()])
    expect(asked).toEqual(['/login', '/write Bearer a', '/write Bearer a', '/write Bearer a'])
  })

  it('renews a token that was refused, and sends that write once more, no other', async () => {
    const { write, asked } = account({ token: 'a' }, v1(401), { token: 'b' }, {}, failed('timeout'))
    expect(await write()).toMatchObject({ status: 200 })
    expect(await write()).toEqual({ problem: 'timeout' })
    expect(asked).toEqual(['/login', '/write Bearer a', '/login', '/write Bearer b', '/write Bearer b'])
  })

  it('is refused if a new token is refused too', async () => {
    const { write, asked } = account({ token: 'a' }, v1(401), { token: 'b' }, v1(401))
    expect(await write()).toEqual({ problem: 'refused the account' })
    expect(asked).toHaveLength(4)
  })

  it.each([
    ['refused the account', v1(401)],
    ['refused the account', v1(400)],
    ['refused the account', {}],
    ['unreachable', failed('unreachable')],
    ['503', v1(503)],
    ['429', v1(429)],
  ])('leaves the copy alone for ten seconds after a login that failed: %s', async (problem, answer) => {
    const { write, asked, pass } = account(answer, { token: 'a' })
    expect(await write()).toEqual({ problem })
    pass(9_999)
    expect(await write()).toEqual({ problem })
    expect(asked).toEqual(['/login'])
    pass(1)
    expect(await write()).toMatchObject({ status: 200 })
  })

  it.each([
    ['timeout', failed('timeout')],
    ['unreachable', { status: 500, failure: 'unreachable', v1Answer: undefined }],
    ['overloaded', { status: 500, failure: 'overloaded', v1Answer: undefined }],
    ['502', v1(502)],
    ['503', v1(503)],
    ['504', v1(504)],
    ['429', v1(429)],
  ] as [string, Answer | Error][])(
    'says nothing about a write to which the copy gave no answer: %s',
    async (problem, answer) => {
      const { write, asked } = account({ token: 'a' }, answer)
      expect(await write()).toEqual({ problem })
      expect(asked).toHaveLength(2)
    },
  )

  it.each([
    ['a refusal', v1(406)],
    ['a missing permission', v1(403)],
    ['a crash', v1(500)],
    ['what the contract does not promise', { ...v1(200), status: 500, failure: 'malformed' }],
    ['too much', { status: 500, failure: 'too-large', v1Answer: undefined }],
  ] as [string, Answer][])('passes on what the copy answered: %s', async (_, answer) => {
    const { write } = account({ token: 'a' }, answer)
    expect(await write()).toMatchObject({ status: answer.status, failure: answer.failure })
  })
})
