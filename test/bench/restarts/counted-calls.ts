import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { statusOf } from '../../support/http-message.ts'
import type { LoadedCall } from '../../support/steady-load.ts'

export const CALLS_PER_SECOND = 300
/** How long v1 takes for a call, so that some are always under way. */
const V1_MS = 15

/** What became of the calls of a load. */
export interface Counts {
  readonly calls: number
  readonly writes: number
  /** Calls that were not answered 200. */
  readonly lost: readonly LoadedCall[]
  /** Writes that v1 got more than once, and answered writes that it never got. */
  readonly twice: readonly string[]
  readonly never: readonly string[]
}

/** @param writes how often v1 got each. */
export function countsOf(calls: readonly LoadedCall[], writes: ReadonlyMap<string, number>): Counts {
  const written = calls.filter(({ id }) => isWrite(numberOf(id)))
  const answered = (call: LoadedCall): boolean => call.answer !== undefined && statusOf(call.answer) === 200
  return {
    calls: calls.length,
    writes: written.length,
    lost: calls.filter((call) => !answered(call)),
    twice: written.filter(({ id }) => (writes.get(id) ?? 0) > 1).map(({ id }) => id),
    never: written.filter((call) => answered(call) && !writes.has(call.id)).map(({ id }) => id),
  }
}

const numberOf = (id: string): number => Number(id.replace('call-', ''))
const isWrite = (number: number): boolean => number % 3 === 0

/** Writes, lists of invoices, and lists that are kept, in turn. */
export function request(id: string, number: number): string {
  const [line, body] = isWrite(number)
    ? ['POST /api/single/point/import', JSON.stringify({ name: id, shipmentId: 'GCCN-1' })]
    : number % 3 === 1
      ? ['POST /api/invoice/list', '{"perPage":1}']
      : ['GET /country/all', '']
  return [`${line} HTTP/1.1`, 'Host: gateway', `Content-Length: ${body.length}`, '', body].join('\r\n')
}

/** A v1 that counts writes by name. */
export async function startV1() {
  const writes = new Map<string, number>()
  const page = JSON.stringify({
    ...{ success: true, message: '', items: [], meta: { page: 1, perPage: 1, total: 0, pageCount: 0 } },
  })
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk) => {
      body += chunk
    })
    incoming.on('end', () => {
      let answer = page
      if (incoming.method === 'POST') {
        const { name, carrierShipmentId } = JSON.parse(body) as { name: string; carrierShipmentId: string }
        writes.set(name, (writes.get(name) ?? 0) + 1)
        response.statusCode = 201
        answer = JSON.stringify({ success: true, message: '', data: { id: writes.size, name, carrierShipmentId } })
      }
      setTimeout(() => response.end(answer), V1_MS)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
