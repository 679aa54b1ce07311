import { join } from 'node:path'
import type { Experiments } from '../../src/control-plane/admin/dashboard/sources.ts'
import type { ReplicasReport } from '../../src/control-plane/store/replicas.ts'
import { CALLS_PER_SECOND, type Counts, countsOf, request, startV1 } from '../bench/restarts/counted-calls.ts'
import { startHttpServer } from '../support/http-server.ts'
import { callLegacy } from '../support/legacy-client.ts'
import { type ServiceProcess, servingAt, startService } from '../support/service-process.ts'
import type { SharedPostgres } from '../support/shared-postgres.ts'
import { startLoad } from '../support/steady-load.ts'
import { startShippedHaproxy } from './shipped-haproxy.ts'
import { freePort, makeFolder } from './start-program.ts'

const ADMIN_TOKEN = 'sixteen-characters'
/** On Linux all of 127.0.0.0/8 is this machine. */
const ADDRESSES = { one: '127.0.0.2', two: '127.0.0.3', three: '127.0.0.4' }
type Id = keyof typeof ADDRESSES
export const IDS = Object.keys(ADDRESSES) as readonly Id[]
/**
 * The addresses of the callers. HAProxy closes the 101st connection of an address: one caller alone would have as many whenever a
 * machine that starts a gateway stands still for a third of a second.
 */
const CALLERS = Array.from({ length: 16 }, (_, index) => `127.0.1.${index + 1}`)

/** What legacy answers where v1 has nothing: the same as the gateway makes of v1's answer. */
const NO_INVOICES = '{"data":[],"pagination":{"count":0,"page":1,"perPage":1,"lastPage":0}}'

/** One of three gateways. */
interface Running {
  readonly service: ServiceProcess
  readonly admin: string
}

/**
 * Starts three gateways with one database behind HAProxy as docker-compose.yml runs it. Each compares every call that it answers.
 */
export async function startFleet(server: SharedPostgres, schema: string) {
  const v1 = await startV1()
  const legacy = await startHttpServer(({ method }, response) => response.end(method === 'POST' ? NO_INVOICES : '[]'))
  const [port, adminPort] = [await freePort(), await freePort()]
  const folder = makeFolder({ 'rollout.json': JSON.stringify({ operations: { '*': { serve: 'v1', shadow: 1 } } }) })
  const running = new Map<Id, Running>()
  let directly = 0

  const read = async (id: Id, path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
    return (await callLegacy(running.get(id)?.admin ?? '', { path, headers })).text
  }
  const start = async (id: Id): Promise<void> => {
    const service = startService('serve', {
      ...{ HOST: ADDRESSES[id], PORT: `${port}`, ADMIN_HOST: ADDRESSES[id], ADMIN_PORT: `${adminPort}`, ADMIN_TOKEN },
      ...{ V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, ROLLOUT_FILE: join(folder, 'rollout.json') },
      ...{
        STATE_DB: server.url,
        STATE_SCHEMA: schema,
        REPLICA_ID: id,
        TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
      // As docker-compose.yml sets it.
      DRAIN_MS: '5000',
    })
    running.set(id, { service, admin: (await servingAt(service)).admin })
  }
  /** Waits until the balancer has noticed that a gateway is there. */
  const takesCalls = async (id: Id): Promise<void> => {
    while (!/^legacy_gateway_calls_total\{.*\} [1-9]/m.test(await read(id, '/metrics'))) await pause()
  }
  await Promise.all(IDS.map(start))
  const { url } = await startShippedHaproxy({
    ...{ port, adminPort },
    addresses: () => [...running.keys()].map((id) => ADDRESSES[id]),
  })
  // Passed on to legacy, and not compared.
  while ((await callLegacy(url, { path: '/elsewhere' })).status !== 200) await pause()
  return {
    experiments: async (id: Id) => JSON.parse(await read(id, '/experiments')) as Experiments,
    replicas: async (id: Id) => JSON.parse(await read(id, '/replicas')) as ReplicasReport,
    /**
     * Makes 300 calls a second, reads and writes, until `during` has ended. Returns what became of all calls, with those that
     * gateways answered directly.
     */
    async underLoad(during: () => Promise<void>): Promise<Counts> {
      directly = 0
      const load = startLoad(url, CALLS_PER_SECOND, request, CALLERS)
      await Promise.all(IDS.map(takesCalls))
      await during()
      await load.stop()
      const counts = countsOf(load.calls, v1.writes)
      return { ...counts, calls: counts.calls + directly }
    },
    /**
     * Stops a gateway as an operator does, calls it directly for as long as it answers, and starts it again. Returns its exit code,
     * once the balancer uses it again.
     */
    async restart(id: Id): Promise<number | null> {
      const { service } = running.get(id) ?? { service: undefined }
      service?.child.kill('SIGTERM')
      while (await answersDirectly(`http://${ADDRESSES[id]}:${port}`)) directly++
      const code = (await service?.exit) ?? null
      // Its name is gone with it.
      running.delete(id)
      await start(id)
      await takesCalls(id)
      return code
    },
    async stop(): Promise<void> {
      await Promise.all([...running.values()].map(({ service }) => killed(service)))
      v1.close()
    },
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

/** Whether it still answers a call, which no balancer sends it any more. */
const answersDirectly = (url: string): Promise<boolean> =>
  callLegacy(url, { path: '/api/invoice/list', body: '{"perPage":1}' }).then(
    ({ status }) => status === 200,
    () => false,
  )

async function killed({ child, exit }: ServiceProcess): Promise<void> {
  child.kill('SIGKILL')
  await exit
}
