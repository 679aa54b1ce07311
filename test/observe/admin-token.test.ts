import { describe, expect, it } from 'vitest'
import { dashboardSources } from '../support/dashboard-sources.ts'
import { openDashboard } from '../support/open-dashboard.ts'

const TOKEN = 'a:token of the admin, ünlü'
const guarded = await openDashboard(dashboardSources(), TOKEN)

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function statusOf(authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  return (await guarded.call({ path: '/rollout', headers })).status
}

describe('the admin token', () => {
  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['the token without a scheme', 'a-token'],
    ['another token', 'Bearer a:token of the admi'],
    ['an empty token', 'Bearer '],
    ['another password', `Basic ${base64('admin:a:token')}`],
    ['the token for a user name', `Basic ${base64(`${TOKEN}:`)}`],
    ['Basic without a colon', `Basic ${base64('token')}`],
    ['Basic that is not base64', 'Basic %%%'],
    ['another scheme', `Digest ${base64(`admin:${TOKEN}`)}`],
  ])('refuses %s', async (_, authorization) => {
    expect(await statusOf(authorization)).toBe(401)
  })

  it('is accepted as the password of any user, even one without a name', async () => {
    expect(await statusOf(`Basic ${base64(`admin:${TOKEN}`)}`)).toBe(200)
    expect(await statusOf(`basic ${base64(`:${TOKEN}`)}`)).toBe(200)
  })

  it('is accepted as a Bearer token, in any case of the scheme', async () => {
    const plain = await openDashboard(dashboardSources(), 'a-plain-token')
    const ask = async (authorization: string) => (await plain.call({ path: '/', headers: { authorization } })).status
    expect([await ask('Bearer a-plain-token'), await ask('bearer a-plain-token')]).toEqual([200, 200])
    expect([await ask('Bearer a-plain-tokeN'), await ask('Bearer a-plain-token2')]).toEqual([401, 401])
  })

  it('is requested by both schemes, and the answer reveals nothing of it', async () => {
    const { headers, text } = await guarded.call({ path: '/' })
    expect(headers['www-authenticate']).toBe('Basic realm="legacy-gateway", Bearer realm="legacy-gateway"')
    expect(JSON.parse(text)).toEqual({ message: expect.stringContaining('Authorization: Bearer') })
    expect(text).not.toContain(TOKEN)
  })

  it('also guards the files that pages load', async () => {
    expect((await guarded.call({ path: '/assets/style.css' })).status).toBe(401)
  })

  it('is not needed when none is set', async () => {
    const open = await openDashboard(dashboardSources())
    expect((await open.call({ path: '/' })).status).toBe(200)
  })
})
