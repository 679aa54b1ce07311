import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { statusOf } from '../../support/http-message.ts'
import { type LoadedCall, startLoad } from '../../support/steady-load.ts'
import { freePort, startGatewayProcess } from '../processes.ts'
import { type BalancerName, type Ports, startBalancer } from './balancers.ts'

const CALLS_PER_SECOND = 300
/** How long v1 takes for a call, so that some are always under way. */
const V1_MS = 15
/** The time in which the balancer notices that a gateway is back. */
const SETTLE_MS = 1_500

export interface RestartOptions {
  /** It ends after this many calls and this many restarts. */
  readonly calls: number
  readonly restarts?: number
  /** Undefined: the gateway's default. */
  readonly drainMs?: number
  /** Whether the balancer lacks its handling of refused connections. */
  readonly isBare?: boolean
  /** The folder of the gateway's code; undefined: here. */
  readonly checkout?: string | undefined
}

export interface Outcome {
  readonly calls: number
  readonly writes: number
  readonly restarts: number
  /** Calls that were not answered 200. */
  readonly lost: readonly LoadedCall[]
  /** Writes that v1 got more than once, and answered writes that it never got. */
  readonly twice: readonly string[]
  readonly never: readonly string[]
}

/**
 * Restarts two gateways behind a balancer in turn, under 300 calls a second, reads and writes.
 */
export async function restartUnderLoad(
  balancer: BalancerName,
  { calls, restarts: wanted = 0, drainMs, isBare, checkout }: RestartOptions,
): Promise<Outcome> {
  const v1 = await startV1()
  const env = drainMs === undefined ? {} : { DRAIN_MS: `${drainMs}` }
  const start = (ports: Ports) => startGatewayProcess(v1.url, env, checkout, ports)
  const ports: readonly [Ports, Ports] = [await freePorts(), await freePorts()]
  const gateways = await Promise.all(ports.map(start))
  const proxy = await startBalancer(balancer, ports, isBare)
  await wait(SETTLE_MS)
  const load = startLoad(proxy.url, CALLS_PER_SECOND, request)
  await wait(SETTLE_MS)
  let restarts = 0
  while (load.calls.length < calls || restarts < wanted) {
    const turn = restarts % 2
    await gateways[turn]?.stop()
    gateways[turn] = await start(ports[turn] ?? ports[0])
    restarts++
    await wait(SETTLE_MS)
  }
  await load.stop()
  await Promise.all([proxy.stop(), ...gateways.map((gateway) => gateway.stop())])
  v1.close()
  const written = load.calls.filter(({ id }) => isWrite(numberOf(id)))
  const answered = (call: LoadedCall): boolean => call.answer !== undefined && statusOf(call.answer) === 200
  return {
    calls: load.calls.length,
    writes: written.length,
    restarts,
    lost: load.calls.filter((call) => !answered(call)),
    twice: written.filter(({ id }) => (v1.writes.get(id) ?? 0) > 1).map(({ id }) => id),
    never: written.filter((call) => answered(call) && !v1.writes.has(call.id)).map(({ id }) => id),
  }
}

const freePorts = async (): Promise<Ports> => [await freePort(), await freePort()]

const numberOf = (id: string): number => Number(id.replace('call-', ''))
const isWrite = (number: number): boolean => number % 3 === 0

/** Writes, lists of invoices, and lists that are kept, in turn. */
function request(id: string, number: number): string {
  const [line, body] = isWrite(number)
    ? ['POST /api/single/point/import', JSON.stringify({ name: id, shipmentId: 'GCCN-1' })]
    : number % 3 === 1
      ? ['POST /api/invoice/list', '{"perPage":1}']
      : ['GET /country/all', '']
  return [`${line} HTTP/1.1`, 'Host: gateway', `Content-Length: ${body.length}`, '', body].join('\r\n')
}

/** A v1 that counts writes by name. */
async function startV1() {
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
