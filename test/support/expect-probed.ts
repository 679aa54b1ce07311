import { expect } from 'vitest'
import { headerOf } from './http-message.ts'
import { type Probed, ROUTES } from './probe-gateway.ts'

/** Expects that not a byte reached a service. */
export function expectNothing({ v1, legacy }: Probed): void {
  for (const service of [v1, legacy]) expect([service.requests, service.rest]).toEqual([[], ''])
}

/** Expects one 4xx answer, and that not a byte reached a service. */
export function expectRefusal(probed: Probed): void {
  expect(probed.statuses).toHaveLength(1)
  expect(probed.statuses[0]).toBeGreaterThanOrEqual(400)
  expect(probed.statuses[0]).toBeLessThan(500)
  expectNothing(probed)
}

/**
 * Expects that this many requests with the body `{}` arrived at the service of their route and nowhere else, each in
 * its plain form and with the service's own host.
 */
export function expectArrival(route: string, { statuses, v1, legacy }: Probed, times = 1): void {
  expect(statuses).toEqual(Array.from({ length: times }, () => 200))
  const isV1s = route === ROUTES[0]
  const [asked, other] = isV1s ? [v1, legacy] : [legacy, v1]
  expect([other.requests, other.rest, asked.rest]).toEqual([[], '', ''])
  const line = `${isV1s ? 'GET /api/v1/finance/invoices?page=1&perPage=25' : route} HTTP/1.1`
  const plain = { line, body: isV1s ? '' : '{}', host: new URL(asked.url).host }
  const arrived = asked.requests
  expect(
    arrived.map((request) => ({ line: request.line, body: request.body, host: headerOf(request, 'host') })),
  ).toEqual(Array.from({ length: times }, () => plain))
  for (const request of arrived) {
    const framing = ['content-length', 'transfer-encoding'].filter((name) => headerOf(request, name) !== undefined)
    expect(framing.length).toBeLessThanOrEqual(1)
  }
}
