import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import { type HttpServer, startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { textOf } from '../support/read-html.ts'
import { fileOf } from '../support/run-replay.ts'
import { type SideBySide, startSideBySide } from '../support/side-by-side.ts'
import { startGateway } from '../support/start-gateway.ts'

const LOGIN = '/auth/application'
const V1_TOKEN = 'v1-t0ken-of-this-client'
const LEGACY_TOKEN = 'legacy-t0ken-of-this-client'
const SECRET = 's-e-c-r-e-t-1'
const AT = '2026-11-28T20:00:00'

/** What a service does with a login: its status and body; undefined: it never answers. */
type Answer = (body: string) => readonly [status: number, body: string | object] | undefined

const start = (answer: Answer): Promise<HttpServer> =>
  startHttpServer(({ target, body }, response) => {
    const answered = target.includes('auth') ? answer(body) : ([200, '[]'] as const)
    if (answered === undefined) return
    const [status, content] = answered
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  })

const legacyWith =
  (more: object = {}): Answer =>
  () => [200, { token: LEGACY_TOKEN, ...more }]
const v1With =
  (more: object = {}): Answer =>
  () => [200, { success: true, data: { token: V1_TOKEN, ...more } }]

interface Sides {
  readonly legacy?: Answer
  readonly v1?: Answer
  readonly serve?: 'v1' | 'legacy'
  readonly rollout?: object
  readonly upstreamTimeoutMs?: number
  /** A mapping file. */
  readonly mapping?: object
}

/** A gateway that compares all logins. The first one is that of the demo client. */
async function startLogins({
  legacy = legacyWith(),
  v1 = v1With(),
  serve = 'legacy',
  rollout = {},
  mapping,
  ...more
}: Sides) {
  const services = { legacy: await start(legacy), v1: await start(v1) }
  const sides = await startSideBySide(
    { operations: { '*': { serve, shadow: 1 } }, ...rollout },
    {
      ...{ legacyUrl: services.legacy.url, v1Url: services.v1.url },
      settings: (folder) => ({
        recordFile: join(folder, 'recording.ndjson'),
        stateDb: join(folder, 'state.db'),
        ...(mapping !== undefined && { mappingFile: fileOf(JSON.stringify(mapping)) }),
        ...more,
      }),
    },
  )
  return { ...sides, services }
}

const logIn = ({ gateway }: SideBySide, body: object | string) =>
  gateway.call({ path: LOGIN, body: typeof body === 'string' ? body : JSON.stringify(body) })

async function report(sides: SideBySide, requests = 1): Promise<Experiments['operations'][number]> {
  const find = async () => (await sides.experiments()).operations.find(({ operation }) => operation === 'auth')
  await expect
    .poll(async () => (await find())?.totals.requests ?? 0, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(requests)
  return (await find()) as Experiments['operations'][number]
}

const counting = ({ differences }: Experiments['operations'][number]) =>
  differences.filter(({ ignored }) => ignored === null).map(({ kind, path, details }) => [kind, path, details ?? {}])

describe.each(['legacy', 'v1'] as const)('both answers to a login are compared, where %s answers', (serve) => {
  it.each([
    ['alike', {}, {}, []],
    ['alike, with further members', { expiresIn: 60, id: 1 }, { id: 1, expiresIn: 60 }, []],
    ['v1 lacks a member', { expiresIn: 60 }, {}, [['missing', 'expiresIn', {}]]],
    ['v1 has one more', {}, { scope: 'all' }, [['extra', 'scope', {}]]],
    ['the expiry differs', { expiresIn: 60 }, { expiresIn: 90 }, [['changed', 'expiresIn', {}]]],
    ['the time of expiry differs', { at: `${AT}+00:00` }, { at: `${AT}.000Z` }, [['changed', 'at', {}]]],
    ['a type differs', { id: 1 }, { id: '1' }, [['type', 'id', { 'number → string': 1 }]]],
    ['a member deep within', { user: { id: 1, name: 'a' } }, { user: { id: 1 } }, [['missing', 'user.name', {}]]],
    ['another token', { refreshToken: 'a' }, { refreshToken: 'b' }, [['changed', 'refreshToken', {}]]],
  ])('%s', async (_, ofLegacy, ofV1, expected) => {
    const sides = await startLogins({ serve, legacy: legacyWith(ofLegacy), v1: v1With(ofV1) })
    const found = await report(sides)
    expect(counting(found)).toEqual(expected)
    const outcome = expected.length === 0 ? { matched: 1, mismatched: 0 } : { matched: 0, mismatched: 1 }
    expect(found.totals).toMatchObject({ requests: 1, ...outcome, skipped: 0, failed: 0 })
    expect(found).toMatchObject({ neverCompared: null, shadow: 1 })
    if (expected.length > 0) expect(found.verdict).toBe('not ready')
    // Neither service was asked again.
    expect(sides.services.legacy.received.filter(({ target }) => target.includes('auth'))).toHaveLength(1)
    expect(sides.services.v1.received.filter(({ target }) => target.includes('auth'))).toHaveLength(1)
  })

  it('the status, where only one of them lets the client in', async () => {
    const sides = await startLogins({
      serve,
      v1: (body) => (body.includes('demo') ? v1With()(body) : [401, { success: false, code: 'NO', message: 'Hayır.' }]),
    })
    await logIn(sides, { clientId: 'other', secretKey: SECRET })
    const found = await report(sides, 2)
    expect(counting(found)).toEqual([['status', '', { '200 → 401': 1 }]])
  })

  it('a wrong password, which both refuse', async () => {
    const wrong = { clientId: 'a', secretKey: 'wrong-pa55word' }
    const sides = await startLogins({
      serve,
      legacy: (body) => (body.includes('wrong') ? [401, { message: 'no', code: 401 }] : legacyWith()(body)),
      v1: (body) =>
        body.includes('wrong') ? [401, { success: false, code: 'NO', message: 'Hayır.' }] : v1With()(body),
    })
    expect((await logIn(sides, wrong)).status).toBe(401)
    const found = await report(sides, 2)
    expect(found.unjudged).toEqual({})
    expect(found.totals).toMatchObject({ requests: 2, skipped: 0, failed: 0 })
    expect(found.account.errors).toBe(1)
    expect(counting(found)).toEqual([['missing', 'code', {}]])
  })

  it('a v1 that fails', async () => {
    const sides = await startLogins({
      serve,
      v1: (body) => (body.includes('demo') ? v1With()(body) : [500, { success: false }]),
    })
    await logIn(sides, { clientId: 'other', secretKey: SECRET })
    const found = await report(sides, 2)
    expect(found.differences.map(({ kind, details }) => [kind, details])).toEqual([['failure', { unavailable: 1 }]])
  })
})

describe('a login that only one service answered is not judged', () => {
  const isDemo = (body: string): boolean => body.includes('demo')
  it.each([
    ['v1 is slow', { v1: (body: string) => (isDemo(body) ? v1With()(body) : undefined) }, 'v1: timeout'],
    [
      'legacy is slow',
      { legacy: (body: string) => (isDemo(body) ? legacyWith()(body) : undefined) },
      'control: timeout',
    ],
  ] as const)(
    '%s',
    async (_, services, reason) => {
      for (const serve of ['legacy', 'v1'] as const) {
        const sides = await startLogins({ serve, ...services, upstreamTimeoutMs: 2_000 })
        void logIn(sides, { clientId: 'other', secretKey: SECRET }).catch(() => undefined)
        await expect.poll(async () => (await report(sides, 1)).unjudged, { timeout: 20_000 }).toEqual({ [reason]: 1 })
        expect((await report(sides, 2)).totals).toMatchObject({ matched: 1, mismatched: 0 })
      }
    },
    120_000,
  )

  it('a body that is no login, where v1 answers: legacy is not asked', async () => {
    const sides = await startLogins({ serve: 'v1' })
    expect((await logIn(sides, 'no JSON')).status).toBe(400)
    expect((await report(sides, 2)).unjudged).toEqual({ 'legacy was not asked': 1 })
  })

  it('a body that is no login, where legacy answers, is compared with what the gateway answers', async () => {
    const sides = await startLogins({
      legacy: (body) =>
        body === 'no JSON'
          ? [400, { message: 'x', violations: [{ propertyPath: '', message: 'y' }] }]
          : legacyWith()(body),
    })
    expect((await logIn(sides, 'no JSON')).status).toBe(400)
    const found = await report(sides, 2)
    expect([found.unjudged, counting(found)]).toEqual([{}, []])
  })
})

it('logins are units: the requests of different clients, and of one client in an hour only once', async () => {
  const sides = await startLogins({ rollout: { operations: { '*': { serve: 'legacy', shadow: 1, target: 0.1 } } } })
  for (const clientId of ['a', 'b', 'b', 'b']) await logIn(sides, { clientId, secretKey: SECRET })
  const found = await report(sides, 5)
  expect(found).toMatchObject({ verdict: 'ready', units: { distinct: 3 }, inputs: { distinct: 3 } })
  const { overall } = await sides.experiments()
  expect(overall.of).toBe(10)
})

it('a rule excuses a difference of a login, as of any call', async () => {
  const ignore = [{ operation: 'auth', path: 'expiresIn', why: 'no client reads it' }]
  const sides = await startLogins({ legacy: legacyWith({ expiresIn: 60 }), rollout: { ignore } })
  const found = await report(sides)
  expect([found.totals.ignored, counting(found)]).toEqual([1, []])
})

it.each([
  ['says that v1 lacks it', { lost: 'v1 says when it ends' }, 'ignored'],
  ['says where v1 has it', { from: 'data.seconds' }, 'matched'],
])('a member is no difference if the mapping %s', async (_, line, outcome) => {
  const sides = await startLogins({
    legacy: legacyWith({ expiresIn: 60 }),
    v1: v1With({ seconds: 60 }),
    mapping: {
      operations: { auth: { response: { expiresIn: line, ...('lost' in line && { seconds: { drop: true } }) } } },
    },
  })
  const found = await report(sides)
  expect([counting(found), found.totals]).toEqual([[], expect.objectContaining({ requests: 1, [outcome]: 1 })])
})

it('Switch-off, the page of the login and the dossier show what was found, and not that there is nothing to compare', async () => {
  const sides = await startLogins({ legacy: legacyWith({ expiresIn: 60 }) })
  await report(sides)
  const read = async (path: string) => (await callLegacy(sides.adminUrl, { method: 'GET', path })).text
  const [switchOff, operation] = [textOf(await read('/')), textOf(await read('/side-by-side/auth'))]
  const dossier = await read('/dossier')
  expect(switchOff).toMatch(/auth.*1 difference counts/s)
  expect(operation).toContain('expiresIn')
  expect(dossier).toMatch(/1 exchange differed, in 1 class of difference/)
  for (const text of [switchOff, operation, dossier])
    expect(text).not.toMatch(/login is never compared|nothing to compare|never: a login/)
})

it('where only v1 is asked, a login is not compared, and the pages say why', async () => {
  const v1 = await start(v1With())
  const gateway = await startGateway(v1.url)
  const adminUrl = await gateway.openAdmin()
  await gateway.call({ path: LOGIN, body: '{"clientId":"a","secretKey":"b"}' })
  const rollout = textOf((await callLegacy(adminUrl, { method: 'GET', path: '/rollout' })).text)
  expect(rollout).toContain('never: a login for which only v1 is asked')
  const { operations } = JSON.parse((await callLegacy(adminUrl, { path: '/dossier' })).text)
  const login = operations.find(({ operation }: { operation: string }) => operation === 'auth')
  expect(login).toMatchObject({ neverCompared: 'a login for which only v1 is asked', shadow: 0 })
})

it.each(['legacy', 'v1'] as const)(
  'no token and no credential is kept or shown anywhere, where %s answers',
  async (serve) => {
    const echo = (token: string) => ({
      ...{
        header: `Bearer ${token}`,
        you: `demo ${SECRET}`,
        refreshToken: `r3fresh-${token}`,
        session: { id: `s1d-${token}` },
      },
    })
    const sides = await startLogins({
      serve,
      legacy: (body) =>
        body.includes('wrong')
          ? [401, { message: `${body} is wrong`, key: body }]
          : legacyWith({ ...echo(LEGACY_TOKEN), expiresIn: 60 })(body),
      v1: (body) =>
        body.includes('wrong')
          ? [401, { success: false, code: 'NO', message: `${body} ${SECRET}` }]
          : v1With(echo(V1_TOKEN))(body),
    })
    await logIn(sides, { clientId: 'someone', secretKey: SECRET, more: 'm0re-s3cret' })
    await logIn(sides, { clientId: 'wrong-s0meone', secretKey: SECRET })
    await logIn(sides, `clientId=wrong-s0meone&secretKey=${SECRET}`)
    await report(sides, 3)
    const pages: string[] = []
    const paths = [
      '/',
      '/side-by-side',
      '/side-by-side/auth',
      '/experiments',
      '/dossier',
      '/proposals',
      '/traffic',
      '/clients',
      '/audit',
      '/metrics',
    ]
    for (const path of paths) pages.push((await callLegacy(sides.adminUrl, { method: 'GET', path })).text)
    expect(pages.join('')).toContain('expiresIn')
    await sides.gateway.close()
    const kept = [
      ...pages,
      JSON.stringify(sides.gateway.log),
      readFileSync(join(sides.folder, 'recording.ndjson'), 'utf8'),
      ...['state.db', 'state.db-wal'].flatMap((name) => {
        try {
          return [readFileSync(join(sides.folder, name), 'latin1')]
        } catch {
          return []
        }
      }),
    ].join('\n')
    for (const secret of [V1_TOKEN, LEGACY_TOKEN, SECRET, 'm0re-s3cret', 'r3fresh', 's1d-', 't0ken-of']) {
      expect(kept.includes(secret), secret).toBe(false)
    }
  },
  60_000,
)
