import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A separate process with a v1 and a legacy service, which name ten members of a quote differently.

const ROWS = 25
const ANSWERS = 200
const MEMBERS = 10

const membersOf = (name: string, number: number) =>
  Object.fromEntries(Array.from({ length: MEMBERS }, (_, at) => [`${name}${at}`, `${number * (at + 3)}-${at}`]))

const answers = Array.from({ length: ANSWERS }, (_, index) => {
  const quotes = Array.from({ length: ROWS }, (_, at) => {
    const number = index * ROWS + at + 1
    const carrier = { id: number, slug: `CARRIER_${number}`, name: `Numune ${number}`, service: 'Express Saver' }
    return {
      v1: { carrier, fuelSurcharge: number, packages: [], ...membersOf('new', number) },
      legacy: { carrier, fuelSurcharges: number, packages: [], ...membersOf('old', number) },
    }
  })
  return {
    v1: JSON.stringify({ success: true, message: '', items: quotes.map(({ v1 }) => v1) }),
    legacy: JSON.stringify(quotes.map(({ legacy }) => legacy)),
  }
})

const serve = (login: string, side: 'v1' | 'legacy') =>
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      if (request.url?.includes('auth') === true) {
        response.end(login)
        return
      }
      const { city } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly city: string }
      response.end(answers[Number(city) % ANSWERS]?.[side])
    })
  }).listen(0, '127.0.0.1')

const v1 = serve('{"success":true,"data":{"token":"v1"}}', 'v1')
const legacy = serve('{"token":"legacy"}', 'legacy')
legacy.once('listening', () => {
  const urlOf = (server: typeof v1): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.send?.({ v1: urlOf(v1), legacy: urlOf(legacy) })
})
