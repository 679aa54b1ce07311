import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A separate process with a v1 that answers 25 invoices at once, and a legacy service that answers only logins.

const invoice = (id: number): object => ({
  ...{
    id,
    organizationId: 1,
    number: `DEM${id}`,
    dateAt: '2025-01-02T03:04:05.000Z',
    priceTry: 1234.5,
    priceUsd: 30.1,
  },
  ...{ paymentExpirationAt: '2025-02-02T03:04:05.000Z', firstName: 'Ada', lastName: 'Öz', citizenshipNumber: '' },
  ...{ company: 'Örnek A.Ş.', taxNumber: '0', isPaid: false, status: { id: 1, slug: 'NEW' }, currencyCode: 'TRY' },
  addressType: { id: 2, slug: 'CORPORATION' },
})
const meta = { page: 1, perPage: 25, total: 25, pageCount: 1 }
const items = Array.from({ length: 25 }, (_, index) => invoice(index + 1))
const page = JSON.stringify({ success: true, message: 'Tamam.', items, meta })

const v1 = createServer((request, response) => {
  response.end(request.method === 'POST' ? '{"success":true,"data":{"token":"v1"}}' : page)
}).listen(0, '127.0.0.1')
const legacy = createServer((request, response) => {
  if (request.url === '/auth/application') response.end('{"token":"legacy"}')
}).listen(0, '127.0.0.1', () => {
  const urlOf = (server: typeof v1): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.send?.({ v1: urlOf(v1), legacy: urlOf(legacy) })
})
