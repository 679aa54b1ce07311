import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { invoice } from './peers/v1-answers.ts'

// A separate process with a v1 and a legacy service, whose prices differ in a way that is costly to find.

const MB = 1_000_000
const filled = (row: string, bytes = MB): string =>
  Array(Math.floor(bytes / (row.length + 1)))
    .fill(row)
    .join()

/** The rows of a price, by the city that is asked for; `value` is another one at each service. */
const costly: Readonly<Record<string, (value: number) => string>> = {
  rows: (value) =>
    filled(`{"service":"Express Saver","days":[${value},2,3],"text":"a b c d e f g h","price":${value}}`),
  'long name': (value) =>
    `{"${'n'.repeat(17_000)}":{${Array.from({ length: 50_000 }, (_, at) => `"m${at}":${value}`).join()}}}`,
  nested: (value) => filled(`{"x":${'[1,'.repeat(490)}${value}${']'.repeat(490)}}`),
}

const meta = { page: 1, perPage: 25, total: 25, pageCount: 1 }
const items = Array.from({ length: 25 }, (_, index) => invoice(index + 1))
const page = JSON.stringify({ success: true, message: 'Tamam.', items, meta })

type Answers = { readonly login: string; readonly invoices: string; readonly price: (rows: string) => string }

function serve({ login, invoices, price }: Answers, value: number) {
  const prices = new Map(Object.entries(costly).map(([city, rows]) => [city, price(rows(value))]))
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      if (request.url?.includes('price') === true) {
        response.end(prices.get((JSON.parse(body) as { readonly city: string }).city))
      } else response.end(request.url?.includes('auth') === true ? login : invoices)
    })
  }).listen(0, '127.0.0.1')
}

const v1 = serve(
  {
    login: '{"success":true,"data":{"token":"v1"}}',
    invoices: page,
    price: (rows) => `{"success":true,"message":"","items":[${rows}]}`,
  },
  1,
)
const legacy = serve({ login: '{"token":"legacy"}', invoices: page, price: (rows) => `[${rows}]` }, 2)
legacy.once('listening', () => {
  const urlOf = (server: typeof v1): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.send?.({ v1: urlOf(v1), legacy: urlOf(legacy) })
})
