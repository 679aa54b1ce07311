import { setTimeout as wait } from 'node:timers/promises'
import { startLoad } from '../../support/steady-load.ts'
import { freePort, startGatewayProcess } from '../processes.ts'
import { type BalancerName, type Ports, startBalancer } from './balancers.ts'
import { CALLS_PER_SECOND, type Counts, countsOf, request, startV1 } from './counted-calls.ts'

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

export interface Outcome extends Counts {
  readonly restarts: number
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
  return { ...countsOf(load.calls, v1.writes), restarts }
}

const freePorts = async (): Promise<Ports> => [await freePort(), await freePort()]
