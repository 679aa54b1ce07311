import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../mappings/index.ts'
import { failing } from '../../support/failing-inputs.ts'
import { type HttpServer, startHttpServer } from '../../support/http-server.ts'
import { type StartedGateway, startGateway } from '../../support/start-gateway.ts'

/** Spellings that some server takes for the same path. */
const tricks: readonly (readonly [name: string, write: (path: string) => string])[] = [
  ['in capitals', (path) => path.toUpperCase()],
  ['with one other letter', (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase())],
  ['with a slash at its end', (path) => `${path}/`],
  ['with two slashes at its start', (path) => `/${path}`],
  ['with two slashes within', (path) => path.replace(/(?<=.)\//, '//')],
  ['with an encoded letter', (path) => path.replace(/[a-z]/, encoded)],
  ['with its last letter encoded', (path) => path.replace(/[a-z]$/, encoded)],
  ['with an encoded slash', (path) => path.replace(/(?<=.)\//, '%2f')],
  ['with a parameter', (path) => `${path};x=1`],
  ['with an extension', (path) => `${path}.json`],
  ['with an encoded NUL', (path) => `${path}%00`],
  ['with an encoded space', (path) => `${path}%20`],
  ['with an encoded question mark', (path) => `${path}%3f`],
  ['with an encoded line break', (path) => `${path}%0d%0aX-Injected:%20y`],
  ['with a plus', (path) => `${path}+`],
  ['without its last letter', (path) => path.slice(0, -1)],
]
/** Spellings that are not passed on to a legacy service either, since they could lead out of its own path. */
const dots: typeof tricks = [
  ['with a dot segment', (path) => path.replace(/(?<=.)\//, '/./')],
  ['with a dot segment at its end', (path) => `${path}/.`],
  ['with a way up and down', (path) => `/x/..${path}`],
  ['with a way up at its end', (path) => `${path}/x/..`],
  ['with an encoded way up', (path) => `/x/%2e%2E${path}`],
  ['with an encoded way up and slash', (path) => `/x/..%2f${path.slice(1)}`],
  ['with a way up over its start', (path) => `/..${path}`],
  ['with a way up by backslash', (path) => `/x%5c..%5c${path.slice(1)}`],
]

const encoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`

let v1: HttpServer
let legacy: HttpServer
let alone: StartedGateway
let before: StartedGateway
beforeAll(async () => {
  v1 = await startHttpServer((_, response) => response.end('{}'))
  legacy = await startHttpServer((_, response) => response.end('{"is":"legacy"}'))
  alone = await startGateway(v1.url)
  before = await startGateway(v1.url, { legacyUrl: legacy.url })
})

describe.each(operations.map(({ legacy: route }) => route))('$method $path', ({ method, path }) => {
  const call = (gateway: StartedGateway, written: string) =>
    gateway.call({
      method,
      path: written,
      headers: { authorization: 'Bearer t' },
      ...(method === 'POST' && { body: '{}' }),
    })
  const spellings = (of: typeof tricks) => of.map(([name, write]) => ({ name, written: write(path) }))

  test('is not found in any other spelling', async () => {
    const asked = v1.received.length
    const failed = await failing(spellings([...tricks, ...dots]), async ({ written }) => {
      expect(written).not.toBe(path)
      expect((await call(alone, written)).status).toBe(404)
    })
    expect(failed).toEqual([])
    expect(v1.received.slice(asked)).toEqual([])
  })

  test('is another path for the legacy service in any other spelling, and arrives there as it is written', async () => {
    const [asked, passed] = [v1.received.length, legacy.received.length]
    const others = spellings(tricks)
    const failed = await failing(others, async ({ written }) =>
      expect(await call(before, written)).toMatchObject({ status: 200, text: '{"is":"legacy"}' }),
    )
    expect(failed).toEqual([])
    const arrived = legacy.received.slice(passed).map(({ target }) => target)
    expect(arrived.sort()).toEqual(others.map(({ written }) => written).sort())
    expect(v1.received.slice(asked)).toEqual([])
  })

  test('is 404 with dots, which are not passed on', async () => {
    const [asked, passed] = [v1.received.length, legacy.received.length]
    const failed = await failing(spellings(dots), async ({ written }) =>
      expect((await call(before, written)).status).toBe(404),
    )
    expect(failed).toEqual([])
    expect([...v1.received.slice(asked), ...legacy.received.slice(passed)]).toEqual([])
  })
})

/** When one address serves both interfaces, a server that merges slashes would serve v1 under these paths. */
describe.each(['/api//v1/finance/invoices', '//api/v1/finance/invoices', '/api/%2fv1/x', '/api%5cv1/finance/invoices'])(
  'v1’s own path written as %s',
  (path) => {
    test('is not found without a legacy service', async () => {
      expect((await alone.call({ path })).status).toBe(404)
    })

    test('is not passed on', async () => {
      const passed = legacy.received.length
      expect((await before.call({ path })).status).toBe(404)
      expect(legacy.received).toHaveLength(passed)
    })
  },
)
