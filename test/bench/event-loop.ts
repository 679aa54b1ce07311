import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { fillTraffic, largeRollout, writeFullState, writeFullUsage, writeLongAudit } from './full-tallies.ts'
import { hostileTexts } from './hostile-texts.ts'
import { median } from './measure.ts'
import { invoice } from './peers/v1-answers.ts'
import { freePort, startGatewayProcess } from './processes.ts'

const MIB = 1_048_576
const ROUNDS = 3
const TOKEN = 'Bearer bench'

/** The answer of v1 and of the legacy service to everything. */
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Buffer
}

interface Kind {
  readonly title: string
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly answer?: Answer
  readonly atAdmin?: boolean
  /** Without a token, so that both services get it. */
  readonly isAnonymous?: boolean
  /** Runs before the call. */
  readonly before?: () => void
}

interface Group {
  readonly title: string
  /** Variables of the gateway. */
  readonly env: Readonly<Record<string, string>>
  readonly kinds: readonly Kind[]
  /** Runs once, before its kinds are measured. */
  readonly fill?: (url: string, leap: () => Promise<unknown>) => Promise<void>
}

/**
 * Measures how long one stretch of work holds the event loop, for each kind of call at its size limit: the longest of
 * each call, the median of some calls. `checkout`: the folder of the gateway's code.
 */
export async function eventLoop(print: (line: string) => void, checkout?: string): Promise<void> {
  let answer: Answer = SMALL
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      const { status = 200, headers = {}, body } = incoming.url?.includes('countries') === true ? SMALL : answer
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(join(tmpdir(), 'event-loop-'))
  const rollout = join(folder, 'rollout.json')
  writeFileSync(rollout, JSON.stringify({ operations: { '*': { shadow: 1 } } }))
  const groups: readonly Group[] = [
    { title: 'requests of 1 MiB', env: {}, kinds: requests() },
    { title: 'the same, recorded', env: { RECORD_FILE: join(folder, 'traffic.ndjson') }, kinds: requests() },
    { title: 'answers of up to 64 MiB', env: {}, kinds: answers() },
    { title: 'the admin port', env: {}, kinds: atAdmin() },
    {
      title: 'compared beside the calls',
      env: { LEGACY_BASE_URL: service, ROLLOUT_FILE: rollout },
      kinds: compared(),
    },
    await full(folder, service),
  ]
  const wanted = process.env.GROUP
  try {
    for (const { title, env: more, kinds, fill } of groups) {
      if (wanted !== undefined && !title.includes(wanted)) continue
      print(`${title}: held for, of that computed`)
      const watchPort = await freePort()
      const watch = `--import ${new URL('event-loop-watch.ts', import.meta.url).href}`
      const env = { ...more, NODE_OPTIONS: watch, WATCH_PORT: `${watchPort}` }
      const gateway = await startGatewayProcess(service, env, checkout)
      try {
        await fill?.(gateway.url, () => fetch(`http://127.0.0.1:${watchPort}/leap`).then((said) => said.text()))
        // Warms the second thread, if there is one, and the engine.
        for (const kind of kinds.slice(0, 2)) {
          answer = kind.answer ?? SMALL
          await send(gateway, kind)
        }
        for (const kind of kinds) {
          answer = kind.answer ?? SMALL
          const held: Held[] = []
          for (let round = 0; round < ROUNDS; round++) {
            await longest(watchPort)
            kind.before?.()
            await send(gateway, kind)
            await wait(kind.before === undefined ? 300 : 1_000)
            held.push(await longest(watchPort))
          }
          const [all, cpu] = [median(held.map(({ heldMs }) => heldMs)), median(held.map(({ cpuMs }) => cpuMs))]
          print(`  ${kind.title.padEnd(50)} ${all.toFixed(0).padStart(5)} ms ${cpu.toFixed(0).padStart(5)} ms`)
        }
      } finally {
        await gateway.stop()
      }
    }
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Held {
  readonly heldMs: number
  readonly cpuMs: number
}

async function longest(port: number): Promise<Held> {
  return (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Held
}

/** Makes a call, and discards its answer. */
function send({ url, adminUrl }: { readonly url: string; readonly adminUrl: string }, kind: Kind): Promise<void> {
  const { method = 'POST', path, body = '', headers = {}, atAdmin: isAtAdmin = false, isAnonymous = false } = kind
  return new Promise((resolve, reject) => {
    const all = {
      ...(!isAnonymous && { authorization: TOKEN }),
      ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    }
    const sent = request(`${isAtAdmin ? adminUrl : url}${path}`, { method, headers: all }, (answer) => {
      if (answer.headers['x-gateway-error'] === 'internal') reject(new Error(`${path}: the gateway has a mistake`))
      answer.resume().on('end', resolve).on('error', reject)
    })
    sent.on('error', reject).end(body)
  })
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const META = { page: 1, perPage: 200, total: 1, pageCount: 1 }
const SMALL: Answer = { body: json({ success: true, message: '', data: { token: 't' }, items: [], meta: META }) }

const PATHS = {
  'a price': '/api/calculate/price',
  'a shipment': '/api/consignment/package/advance',
  'a list': '/api/invoice/list',
  'a completion': '/api/single/point/import/complete',
  'a login': '/auth/application',
  'passed on': '/api/transaction/charge/list',
}

function requests(): readonly Kind[] {
  const bodies = Object.entries(PATHS).flatMap(([what, path]) =>
    Object.entries(hostileTexts).map(([how, body]): Kind => ({ title: `${what}: ${how}`, path, body })),
  )
  const query = Array.from({ length: 1_300 }, (_, index) => `email${index}=${index}`).join('&')
  return [
    ...bodies,
    { title: 'a query of 15 KB', method: 'GET', path: `/country/all?${query}` },
    {
      title: 'a token of 15 KB',
      path: PATHS['a list'],
      body: '{}',
      headers: { authorization: `Bearer ${'e'.repeat(15_000)}` },
    },
  ]
}

function answers(): readonly Kind[] {
  /** A page whose items are as many of these rows as fit. */
  const pageOf = (row: unknown, bytes: number): Buffer => {
    const text = JSON.stringify(row)
    const items = Array(Math.floor(bytes / (text.length + 1)))
      .fill(text)
      .join(',')
    return Buffer.from(`{"success":true,"message":"","items":[${items}],"meta":${JSON.stringify(META)}}`)
  }
  const record = (text: string): Buffer => Buffer.from(`{"success":true,"message":"","data":${text}}`)
  const depth = 16 * MIB
  const list = { path: PATHS['a list'], body: '{}' }
  const price = { path: PATHS['a price'], body: '{}' }
  const errors = Array(400_000).fill('{"path":"packages.0.x","message":"no"}').join(',')
  const gzip = { 'content-encoding': 'gzip' }
  const large = pageOf(invoice(1), 60 * MIB)
  return [
    { title: 'a page of 1 MiB', ...list, answer: { body: pageOf(invoice(1), MIB) } },
    { title: 'a page of 60 MiB', ...list, answer: { body: large } },
    {
      title: 'a page of 60 MiB, in chunks',
      ...list,
      answer: { body: large, headers: { 'transfer-encoding': 'chunked' } },
    },
    { title: 'a page of 60 MiB, gzip', ...list, answer: { body: gzipSync(large, { level: 1 }), headers: gzip } },
    { title: 'a page of 15 million empty rows', ...list, answer: { body: pageOf({}, 45 * MIB) } },
    {
      title: 'a price list of 60 MiB',
      ...price,
      answer: { body: pageOf({ packages: [{}], fuelSurcharge: 1 }, 60 * MIB) },
    },
    {
      title: 'a shipment 16 million deep',
      path: PATHS['a shipment'],
      body: '{}',
      answer: { body: record(`{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`) },
    },
    {
      title: 'an error of 16 MiB',
      ...price,
      answer: { status: 422, body: Buffer.from(`{"success":false,"code":"VALIDATION_FAILED","errors":[${errors}]}`) },
    },
    {
      title: 'an error 16 million deep',
      ...price,
      answer: { status: 400, body: Buffer.from(`{"params":${'['.repeat(depth)}${']'.repeat(depth)}}`) },
    },
    {
      title: 'a gzip bomb',
      ...list,
      answer: { body: gzipSync(Buffer.alloc(200 * MIB, ' '), { level: 9 }), headers: gzip },
    },
    {
      title: 'a login of 60 MiB',
      path: PATHS['a login'],
      body: '{"clientId":"a"}',
      answer: { body: record(`{"token":"${'t'.repeat(60 * MIB)}"}`) },
    },
    {
      title: 'a whole list, a page of 8 MiB',
      method: 'GET',
      path: '/api/currency',
      answer: { body: pageOf({ id: 1, code: 'USD', rates: { sellingTry: 1, buyingTry: 1 } }, 8 * MIB) },
    },
    { title: 'not JSON, 60 MiB', ...list, answer: { body: Buffer.alloc(60 * MIB, '<p>') } },
  ]
}

function atAdmin(): readonly Kind[] {
  const page = (path: string): Kind => ({ title: path, method: 'GET', path, atAdmin: true })
  const explained = Object.entries(hostileTexts).map(
    ([how, body]): Kind => ({
      title: `explain: ${how}`,
      path: '/explain',
      body: `{"method":"POST","path":"${PATHS['a price']}","body":${body}}`.slice(0, MIB - 100).concat(' '),
      atAdmin: true,
    }),
  )
  const forms = Object.entries({ ...hostileTexts, '4 MiB of quotes': '"'.repeat(4 * MIB - 100) }).map(
    ([how, body]): Kind => ({
      title: `the explain form: ${how}`,
      path: '/explain',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      // A browser encodes most of them as three bytes, within the limit of 4 MiB.
      body: `method=POST&path=${PATHS['a price']}&body=${body.replaceAll('%', '%25').replaceAll('&', '%26')}`,
      atAdmin: true,
    }),
  )
  return [
    ...['/', '/metrics', '/experiments', '/openapi.json', '/mappings', '/readyz'].map(page),
    ...explained,
    ...forms,
  ]
}

/** Everything that is kept in memory is at its limits, and the rollout file is large. */
async function full(folder: string, service: string): Promise<Group> {
  const [rollout, state] = [join(folder, 'large-rollout.json'), join(folder, 'state.db')]
  let versions = 0
  const reload = (clients: number, rules: number) => (): void =>
    writeFileSync(rollout, largeRollout(clients, rules, (versions++ % 100) / 10_000))
  reload(1_000, 1_000)()
  await writeFullState(state)
  await writeFullUsage(state)
  await writeLongAudit(state)
  const page = (path: string): Kind => ({ title: path, method: 'GET', path, atAdmin: true })
  const pages = [
    '/',
    '/traffic?minutes=180',
    '/clients',
    '/clients?sort=client',
    '/side-by-side',
    '/side-by-side/price',
    '/rollout',
    '/audit',
  ]
  const forPrograms = ['/audit?limit=1000', '/clients', '/clients.csv', '/dossier', '/experiments', '/metrics'].map(
    page,
  )
  return {
    title: 'what is kept is full',
    env: { LEGACY_BASE_URL: service, ROLLOUT_FILE: rollout, STATE_DB: state },
    kinds: [
      ...pages.map((path): Kind => ({ ...page(path), title: `${path}, the page`, headers: { accept: 'text/html' } })),
      ...forPrograms,
      { ...page('/livez'), title: 'a rollout file of 16,000 entries', before: reload(1_000, 1_000) },
      { ...page('/livez'), title: 'a rollout file of 80,000 entries', before: reload(5_000, 5_000) },
      ...forPrograms.slice(-2).map((kind): Kind => ({ ...kind, title: `${kind.path}, with 5,000 rules` })),
    ],
    fill: fillTraffic,
  }
}

function compared(): readonly Kind[] {
  const items = Array.from({ length: 1_900 }, (_, index) => invoice(index))
  const kinds: readonly Kind[] = [
    {
      title: 'a page of 1 MB',
      path: PATHS['a list'],
      body: '{}',
      answer: { body: json({ success: true, items, meta: META }) },
    },
    ...Object.entries(hostileTexts).map(
      ([how, body]): Kind => ({ title: `a price: ${how}`, path: PATHS['a price'], body }),
    ),
  ]
  return kinds.map((kind) => ({ ...kind, isAnonymous: true }))
}
