import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invoice, page } from './v1-answers.ts'

// Run as a process of its own: `node slow-v1.ts MS`, a v1 that answers every call with one invoice after MS
// milliseconds; `node slow-v1.ts 50-150` after 50 to 150, at random. It reports its port and, on request, how many calls it has had.

const [least = 0, most = least] = (process.argv[2] ?? '').split('-').map(Number)
const body = Buffer.from(JSON.stringify(page(invoice, 1, 1, 1)))
const headers = { 'content-type': 'application/json', 'content-length': body.length }
let calls = 0
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  calls++
  request.resume()
  const answer = (): void => void response.writeHead(200, headers).end(body)
  if (most === 0) answer()
  else setTimeout(answer, least + Math.random() * (most - least))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('message', () => process.send?.(calls))
