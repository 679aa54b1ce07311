import { spawn, spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { closeAtEnd } from '../support/clean-up.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { until } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'
import { freePort, makeFolder } from './start-program.ts'

/** Name servers use port 53. Nothing else uses this address. */
const NAME_SERVER = '127.77.53.17'

const canMount =
  spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0 && existsSync('/etc/nsswitch.conf')

/** A name server that resolves every name to 127.0.0.1, unless it hangs. */
async function startNameServer() {
  const state = { isHanging: false, asked: 0 }
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    state.asked++
    if (!state.isHanging) answer(socket, query, port, address)
  })
  socket.bind(53, NAME_SERVER)
  await once(socket, 'listening')
  closeAtEnd(() => socket.close())
  return state
}

/** RFC 1035 section 4: the reply repeats the question, and answers it if it asks for an IPv4 address. */
function answer(socket: Socket, query: Buffer, port: number, address: string): void {
  let end = 12
  while (query[end] !== 0) end += (query[end] ?? 0) + 1
  const isForAddress = query.readUInt16BE(end + 1) === 1
  const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isForAddress ? 1 : 0, 0, 0, 0, 0])
  const record = isForAddress ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]) : Buffer.alloc(0)
  socket.send(Buffer.concat([head, query.subarray(12, end + 5), record]), port, address)
}

/** The shipped gateway with its own `resolv.conf`, which names this server only; `more` are further lines of that. */
async function startGatewayAt(v1Port: number, legacyUrl: string, more = '', grace = '10000') {
  const resolve = `nameserver ${NAME_SERVER}\n${more}`
  // The machine may resolve names in other ways.
  const folder = makeFolder({ 'resolv.conf': resolve, 'nsswitch.conf': 'hosts: files dns\n' })
  const [port, adminPort, recording] = [await freePort(), await freePort(), join(folder, 'traffic.ndjson')]
  const mount = ['resolv.conf', 'nsswitch.conf']
    .map((file) => `mount --bind ${folder}/${file} /etc/${file}`)
    .join(' && ')
  const serve = `exec "${process.execPath}" src/cli/bin.js serve`
  const child = spawn('unshare', ['-m', 'sh', '-c', `${mount} && ${serve}`], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: `${port}`, ADMIN_PORT: `${adminPort}` },
      ...{ V1_BASE_URL: `http://v1.example:${v1Port}`, LEGACY_BASE_URL: legacyUrl, RECORD_FILE: recording },
      ...{ SERVE: 'v1', SHUTDOWN_GRACE_MS: grace },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closeAtEnd(() => child.kill('SIGKILL'))
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk
  })
  await until(() => log.includes('"msg":"serving"'), 30_000)
  return {
    child,
    log: () => log,
    url: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    recordedBytes: () => (existsSync(recording) ? statSync(recording).size : 0),
  }
}

const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const started = performance.now()
  return [await work, performance.now() - started]
}

describe.skipIf(!canMount)('name servers that hang (with a resolv.conf of its own, which only root can mount)', () => {
  let gateway: Awaited<ReturnType<typeof startGatewayAt>>
  let names: Awaited<ReturnType<typeof startNameServer>>
  let v1: Awaited<ReturnType<typeof startHttpServer>>
  let legacy: Awaited<ReturnType<typeof startHttpServer>>

  beforeAll(async () => {
    names = await startNameServer()
    names.isHanging = true
    const page = JSON.stringify(v1Page([{ id: 1 }], { page: 1, perPage: 1, total: 1 }))
    // Every call opens a connection, and every connection looks the name up.
    v1 = await startHttpServer((_, response) => response.setHeader('connection', 'close').end(page))
    legacy = await startHttpServer((_, response) => response.setHeader('connection', 'close').end('{"data":[]}'))
    gateway = await startGatewayAt(Number(new URL(v1.url).port), legacy.url)
  }, 60_000)

  /** Whether `/readyz` reports v1 as well, within two seconds. */
  const isV1Well = async (): Promise<boolean> => {
    const [{ text }, milliseconds] = await timed(callLegacy(gateway.adminUrl, { path: '/readyz' }))
    expect(milliseconds).toBeLessThan(2_000)
    return (JSON.parse(text) as { v1: string }).v1 === 'well'
  }
  const askLegacy = () => callLegacy(gateway.url, { path: '/api/transaction/charge/list', body: '{}' })
  const askV1 = () => callLegacy(gateway.url, { path: '/api/invoice/list', body: '{}' })

  test('from the start do not delay /readyz, other calls, the log or a recording, and fail calls within 5 s', {
    timeout: 60_000,
  }, async () => {
    // More lookups than libuv has threads.
    const held = Array.from({ length: 8 }, () => askV1().catch(() => undefined))
    for (let number = 0; number < 6; number++) {
      expect(await isV1Well()).toBe(false)
      const [{ status }, milliseconds] = await timed(askLegacy())
      expect([status, milliseconds < 2_000]).toEqual([200, true])
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
    expect(gateway.log().split('"operation":"charge-list"').length - 1).toBeGreaterThan(3)
    expect(gateway.recordedBytes()).toBeGreaterThan(0)
    names.isHanging = false
    const healed = performance.now()
    while (!(await isV1Well())) {
      expect(performance.now() - healed).toBeLessThan(5_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect((await askV1()).status).toBe(200)
    await Promise.all(held)
  })

  test('later leave v1 at its last address, and the log says so', { timeout: 60_000 }, async () => {
    expect((await askV1()).status).toBe(200)
    names.isHanging = true
    for (let number = 0; number < 10; number++) {
      const [{ status }, milliseconds] = await timed(askV1())
      expect([status, milliseconds < 2_000]).toEqual([200, true])
      expect(await isV1Well()).toBe(true)
    }
    await until(() => gateway.log().includes('no name server answers'))
    names.isHanging = false
    expect((await askV1()).status).toBe(200)
  })

  test('do not delay the stop: the gateway has stopped when its grace is over, even during a lookup', {
    timeout: 60_000,
  }, async () => {
    names.isHanging = true
    names.asked = 0
    // A lookup that takes half a minute.
    const more = 'options timeout:30 attempts:1\n'
    const { child, ...stopping } = await startGatewayAt(Number(new URL(v1.url).port), legacy.url, more, '500')
    const held = callLegacy(stopping.url, { path: '/api/invoice/list', body: '{}' }).catch(() => undefined)
    await until(() => names.asked > 0)
    const began = performance.now()
    child.kill('SIGTERM')
    await until(() => stopping.log().includes('"msg":"stopped"'))
    expect(performance.now() - began).toBeLessThan(25_000)
    await held
  })
})
