import { expect, test } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { rowsOf } from '../support/read-html.ts'
import { startGateway } from '../support/start-gateway.ts'
import { v1Page } from '../support/v1-bodies.ts'

const CHARGES = '/api/transaction/charge/list'

/** Calls of every kind in turn, each with a made-up token of its own. */
async function sendGarbage(url: string, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 20) {
    const calls = Array.from({ length: 20 }, async (_, more) => {
      const path = ['/api/currency', '/country/all', CHARGES, `/path-${number + more}`][more % 4]
      const headers = { authorization: `Bearer garbage-${number + more}` }
      const answer = await fetch(url + path, { headers, ...(path === CHARGES && { method: 'POST', body: '{}' }) })
      await answer.arrayBuffer()
    })
    await Promise.all(calls)
  }
}

test('400 calls with garbage tokens and unknown paths add no client, row or label', async () => {
  const v1 = await startHttpServer(({ target }, response) => {
    response.statusCode = target.includes('/countries') ? 200 : 401
    response.end(JSON.stringify(target.includes('/countries') ? v1Page([{ id: 49 }]) : { success: false, code: 'NO' }))
  })
  const legacy = await startHttpServer(({ target }, response) => {
    response.statusCode = target === CHARGES ? 401 : 404
    response.end('{}')
  })
  const gateway = await startGateway(v1.url, { legacyUrl: legacy.url })
  const adminUrl = await gateway.openAdmin()
  /** The series that the gateway itself counts. The others describe the process, and change by themselves. */
  const metrics = async (): Promise<string> => {
    const { text } = await callLegacy(adminUrl, { path: '/metrics' })
    return text.replaceAll(/^(?:# \w+ )?(?:process|nodejs)_.*\n/gm, '')
  }
  await sendGarbage(gateway.url, 0, 20)
  const before = await metrics()
  await sendGarbage(gateway.url, 20, 420)
  const after = await metrics()
  expect(Math.abs(after.length - before.length)).toBeLessThan(1_024)
  expect(after).not.toMatch(/garbage|path-\d/)
  expect(after.match(/client="[^"]*"/g)).toEqual(Array(4).fill('client="unidentified"'))
  const { text } = await callLegacy(adminUrl, { path: '/traffic', headers: { accept: 'text/html' } })
  expect(rowsOf(text, 'by-client').map((row) => row.slice(0, 2))).toEqual([['unidentified', '420']])
})
