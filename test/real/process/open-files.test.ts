import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeAtEnd } from '../../support/clean-up.ts'
import { messagesIn, statusOf } from '../../support/http-message.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { logOf, type ServiceProcess, servingAt, startService } from '../../support/service-process.ts'
import { until } from '../../support/start-gateway.ts'
import { v1Page, v1Record } from '../../support/v1-bodies.ts'

/** `ulimit -n` of the gateway. */
const OPEN_FILES = 200
const CLIENTS = 300

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const READ = post('/api/invoice/list', '{"perPage":1}')
/** v1 answers it only when it is told to. */
const WRITE = post('/api/single/point/import', '{"name":"June","shipmentId":"GCCN-1"}')

/** A connection, and what came over it. */
class Client {
  readonly socket: Socket
  isClosed = false
  #received = ''
  #tell: () => void = () => undefined

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1')
    this.socket.setEncoding('latin1').on('error', () => undefined)
    this.socket.on('data', (chunk) => {
      this.#received += chunk
      this.#tell()
    })
    this.socket.on('close', () => {
      this.isClosed = true
      this.#tell()
    })
    closeAtEnd(() => this.socket.destroy())
  }

  get statuses(): readonly number[] {
    return messagesIn(this.#received).messages.map(statusOf)
  }

  /** The status of the next answer; undefined: the connection was closed without one. */
  async ask(request: string): Promise<number | undefined> {
    const { length } = this.statuses
    this.socket.write(request)
    while (this.statuses.length === length && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve
      })
    }
    return this.statuses[length]
  }
}

async function serving(openFiles = OPEN_FILES, env: Readonly<Record<string, string>> = {}) {
  const held: (() => void)[] = []
  const [page, record] = [v1Page([], { perPage: 1 }), v1Record({ id: 1 })]
  const v1 = await startHttpServer(({ method }, response) => {
    const answer = (): unknown => response.end(JSON.stringify(method === 'POST' ? record : page))
    if (method === 'POST') held.push(answer)
    else answer()
  })
  const gateway = startService('serve', { V1_BASE_URL: v1.url, ...env }, [], openFiles)
  return { gateway, held, ...(await servingAt(gateway)) }
}

/** What the admin port says, over a new connection each time. */
async function admin(url: string) {
  const get = async (path: string): Promise<string> =>
    (await fetch(`${url}${path}`, { headers: { connection: 'close' } })).text()
  const metrics = await get('/metrics')
  const value = (name: string): number => Number(new RegExp(`^legacy_gateway_${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return { ...(JSON.parse(await get('/readyz')) as { readonly status: string; readonly v1: string }), value, metrics }
}

const linesOf = (gateway: ServiceProcess, text: string): number =>
  logOf(gateway).filter(({ msg }) => String(msg).includes(text)).length

/** Calls again and again over one connection, until it is told to stop. */
function callOnAndOn(client: Client) {
  const statuses: (number | undefined)[] = []
  let isOver = false
  const calling = (async () => {
    while (!isOver && !client.isClosed) {
      statuses.push(await client.ask(READ))
      await wait(10)
    }
  })()
  return {
    statuses,
    async stop() {
      isOver = true
      await calling
    },
  }
}

test('hundreds of idle connections keep no client out: the longest idle ones are closed', async () => {
  const { gateway, legacy, admin: adminUrl } = await serving()
  const polite = callOnAndOn(new Client(legacy))
  const clients: Client[] = []
  const answers: (number | undefined)[] = []
  while (clients.length < CLIENTS) {
    const next = Array.from({ length: 10 }, () => new Client(legacy))
    clients.push(...next)
    answers.push(...(await Promise.all(next.map((client) => client.ask(READ)))))
  }
  expect(new Set(answers)).toEqual(new Set([200]))
  const { status, v1, value } = await admin(adminUrl)
  expect({ status, v1 }).toEqual({ status: 'ready', v1: 'well' })
  expect(value('connections')).toBeLessThanOrEqual(value('connections_limit'))
  expect(value('connections_closed_idle_total')).toBeGreaterThan(CLIENTS / 2)
  expect(value('connections_turned_away_total')).toBe(0)
  await polite.stop()
  expect(new Set(polite.statuses)).toEqual(new Set([200]))
  expect(linesOf(gateway, 'MAX_CONNECTIONS is reached')).toBe(1)

  for (const { socket } of clients) socket.destroy()
  await until(() => linesOf(gateway, 'there is room for connections again') === 1, 5_000)
})

test('hundreds of writes that hang at v1 affect neither open connections, nor the admin port, nor v1’s breaker', async () => {
  const { gateway, held, legacy, admin: adminUrl } = await serving()
  const polite = new Client(legacy)
  expect(await polite.ask(READ)).toBe(200)
  const calling = callOnAndOn(polite)
  const clients = Array.from({ length: CLIENTS }, () => new Client(legacy))
  const answers = clients.map((client) => client.ask(WRITE))
  await until(() => clients.filter(({ isClosed }) => isClosed).length > CLIENTS / 2)
  const { status, v1, value, metrics } = await admin(adminUrl)
  expect({ status, v1 }).toEqual({ status: 'ready', v1: 'well' })
  expect(value('connections')).toBe(value('connections_limit'))
  expect(value('connections_turned_away_total')).toBeGreaterThan(CLIENTS / 2)
  expect(metrics).not.toMatch(/legacy_gateway_breaker_open\{.*\} 1/)
  await calling.stop()
  expect(calling.statuses.length).toBeGreaterThan(1)
  expect(new Set(calling.statuses)).toEqual(new Set([200]))

  // v1 answers: whoever was let in is served, and whoever came too late was told so.
  const answering = setInterval(() => {
    for (const answer of held.splice(0)) answer()
  }, 10)
  closeAtEnd(() => clearInterval(answering))
  const served = await Promise.all(answers)
  expect(served.filter((one) => one === 200).length).toBeGreaterThanOrEqual(value('connections_limit') - 1)
  expect(served.filter((one) => one !== 200 && one !== 503 && one !== undefined)).toEqual([])
  expect(served).toContain(503)
  expect(logOf(gateway).filter(({ msg }) => msg === 'v1 counts as down')).toEqual([])
  for (const { socket } of clients) socket.destroy()
  await until(() => linesOf(gateway, 'there is room for connections again') === 1, 5_000)
  expect(await new Client(legacy).ask(READ)).toBe(200)
})

test('a call that cannot open a connection to v1 is overloaded, and v1 does not count as down', async () => {
  // More than there is room for: the operator's mistake, which is told.
  const { gateway, held, legacy } = await serving(120, { MAX_CONNECTIONS: '1000' })
  expect(linesOf(gateway, 'MAX_CONNECTIONS exceeds what the limit of open files')).toBe(1)
  const client = new Client(legacy)
  expect(await client.ask(READ)).toBe(200)
  const others = Array.from({ length: 150 }, () => new Client(legacy))
  await until(() => others.some(({ isClosed }) => isClosed), 5_000)
  // All at once: a refusal is told about a second later.
  client.socket.write(WRITE.repeat(15))
  await until(() => client.statuses.length === 16)
  expect(new Set(client.statuses.slice(1))).toEqual(new Set([500]))
  const failures = () => new Set(logOf(gateway).flatMap(({ failure }) => (failure === undefined ? [] : [failure])))
  // The log is written in batches.
  await until(() => failures().size > 0, 5_000)
  expect(failures()).toEqual(new Set(['overloaded']))
  for (const { socket } of others) socket.destroy()
  await wait(100)
  const answer = client.ask(WRITE)
  await until(() => held.length === 1, 5_000)
  held[0]?.()
  expect(await answer).toBe(200)
  expect(linesOf(gateway, 'counts as down')).toBe(0)
})
