import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startHttpServer } from '../../support/http-server.ts'
import { startGateway, until } from '../../support/start-gateway.ts'
import { v1Page } from '../../support/v1-bodies.ts'

const MB = 1024 * 1024

/** What calls hold of the memory budget, in bytes, and how many wait for some. */
async function memoryOf(adminUrl: string): Promise<{ readonly used: number; readonly waiting: number }> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text()
  const read = (name: string): number =>
    Number(new RegExp(`^legacy_gateway_memory_${name} (.*)$`, 'm').exec(metrics)?.[1])
  return { used: read('used_bytes'), waiting: read('waiting') }
}

describe('memory for pages of v1 that nobody wants any more', () => {
  /** A v1 with ten pages. It refuses the second at once; the others take a moment. */
  const refusesPageTwo = () => {
    const answered: number[] = []
    return {
      answered,
      started: startHttpServer(async ({ target }, response) => {
        const query = new URLSearchParams(target.split('?')[1])
        const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))]
        if (page === 2) return response.writeHead(429).end('{"success":false,"code":"TOO_MANY","message":"x"}')
        if (page > 2) await wait(40)
        const rows = Array.from({ length: perPage }, (_, id) => ({ id, name: 'x'.repeat(300) }))
        response.writeHead(200).end(JSON.stringify(v1Page(rows, { page, perPage, total: 2_000, pageCount: 10 })))
        answered.push(page)
        return undefined
      }),
    }
  }

  test.each([
    ['a whole list', { method: 'GET', path: '/country/all' }, 8],
    ['a page of 2,000 rows', { path: '/api/invoice/list', body: '{"perPage":2000}' }, 4],
  ])('comes back when one page of %s fails', async (_, call, pagesAtOnce) => {
    const { answered, started } = refusesPageTwo()
    const gateway = await startGateway((await started).url, { settings: { memoryBytes: 16 * MB } })
    const admin = await gateway.openAdmin()
    for (let calls = 1; calls <= 3; calls++) {
      expect((await gateway.call(call)).status).toBe(429)
      await until(() => answered.length === calls * pagesAtOnce)
    }
    // The last page has been answered, and may not have been read yet.
    await expect.poll(async () => (await memoryOf(admin)).used).toBe(0)
    await wait(50)
    expect((await memoryOf(admin)).used).toBe(0)
  })
})

describe('memory for a body that arrives in pieces', () => {
  test('comes back when its client hangs up while the body waits for memory', async () => {
    const held: (() => void)[] = []
    const v1 = await startHttpServer((_, response) => {
      held.push(() => response.writeHead(200).end(JSON.stringify(v1Page([], { perPage: 25 }))))
    })
    const gateway = await startGateway(v1.url, { settings: { memoryBytes: 12 * MB } })
    const admin = await gateway.openAdmin()
    // Bodies get a third of the memory, and each takes three times its size: this one leaves room for small ones only.
    const first = gateway.call({ path: '/api/invoice/list', body: JSON.stringify({ unknown: 'a'.repeat(1_000_000) }) })
    await until(() => held.length === 1)
    const piece = 'a'.repeat(250_000)
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => undefined)
      const head = 'POST /api/invoice/list HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
      socket.write(`${head}${piece.length.toString(16)}\r\n${piece}\r\n`)
      return socket
    })
    await expect.poll(async () => (await memoryOf(admin)).waiting).toBe(4)
    await Promise.all(
      sockets.map(async (socket) => {
        socket.resetAndDestroy()
        await once(socket, 'close')
      }),
    )
    await until(() => gateway.log.filter(({ status }) => status === 499).length === 4)
    for (const answer of held.splice(0)) answer()
    expect((await first).status).toBe(200)
    await expect.poll(() => memoryOf(admin)).toEqual({ used: 0, waiting: 0 })
  })
})
