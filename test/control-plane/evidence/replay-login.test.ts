import { describe, expect, it } from 'vitest'
import { post } from '../../../src/mapping/operation.ts'
import type { Ask } from '../../../src/recordings/replay/replay.ts'
import { ReplayError } from '../../../src/recordings/replay/replay.ts'
import { logIn } from '../../../src/recordings/replay/replay-login.ts'
import { always, answered } from './support/replaying.ts'

const operation = { legacy: post('/login'), login: { client: 'who', secret: 'proof', token: 'ticket' } }
const account = { clientId: 'me', secretKey: 'hush' }
const reason = (ask: Ask): Promise<Error> =>
  logIn(ask, operation, account, 'v1').then(
    () => new Error('it logged in'),
    (error: Error) => error,
  )

describe('logging in to a side', () => {
  it('sends the account and finds the token as the login mapping says', async () => {
    let sent: unknown
    const ask: Ask = async ({ method, path, query, body }) => {
      sent = { method, path, query, body: JSON.parse(Buffer.from(body).toString()) }
      return answered('{"token":"wrong","ticket":"right"}')
    }
    expect(await logIn(ask, operation, account, 'v1')).toBe('right')
    expect(sent).toEqual({ method: 'POST', path: '/login', query: '', body: { who: 'me', proof: 'hush' } })
  })

  it.each<readonly [string, Ask, string]>([
    ['is refused', always('{"message":"hush is wrong"}', 401), 'v1: the login was refused (status 401)'],
    ['is not answered by v1', always('{}', 500, 'unavailable'), 'v1: the login was not answered (unavailable)'],
    ['answers no token', always('{"data":{}}'), 'v1: the login was answered without a token that can be sent'],
    ['answers no JSON', always('hush'), 'v1: the login was answered without a token that can be sent'],
    [
      'answers a token of two lines',
      always('{"ticket":"a\\nb"}'),
      'v1: the login was answered without a token that can be sent',
    ],
    [
      'breaks off',
      () => Promise.reject(Object.assign(new Error('hush'), { kind: 'timeout' })),
      'v1: the login was not answered (timeout)',
    ],
  ])('that %s is reported without the secret and without the answer', async (_, ask, says) => {
    const error = await reason(ask)
    expect(error).toBeInstanceOf(ReplayError)
    expect(error.message).toBe(says)
  })
})
