import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { facesOf, logOf, servingAt, startService } from '../support/service-process.ts'
import { type Certificates, makeCertificates } from './certificates.ts'
import { proxies } from './proxies.ts'
import { LARGE_PAGES, MIXED, soak } from './soak.ts'
import { isInstalled, makeFolder } from './start-program.ts'

const COMPARE_ALL = JSON.stringify({
  operations: { '*': { serve: 'v1', shadow: 1 } },
  limits: { queue: 10_000, timeoutMs: 60_000 },
})
const CALLERS = 24
/** A larger number makes this a soak test: the figures of the processes then show leaks. */
const CALLS = Number(process.env.SOAK_CALLS ?? 120)

describe.skipIf(!isInstalled('openssl'))('services behind a proxy that offers HTTP/2 over TLS', () => {
  let made: Certificates | undefined
  const certificates = (): Certificates => {
    made ??= makeCertificates()
    return made
  }

  let faces: ReturnType<typeof facesOf> | undefined

  describe.each(proxies)('$name', (proxy) => {
    test.skipIf(!proxy.isInstalled)(
      'answers many simultaneous calls, and repeats no write',
      { timeout: 90_000 + CALLS * 100 },
      async () => {
        const { ca, server } = certificates()
        faces ??= facesOf(startService('sandbox', {}))
        const sandbox = await faces
        const [v1, legacy] = [
          await proxy.start(sandbox.v1, { tls: server }),
          await proxy.start(sandbox.legacy, { tls: server }),
        ]
        const gateway = startService('serve', {
          ...{ V1_BASE_URL: v1.url, LEGACY_BASE_URL: legacy.url, NODE_EXTRA_CA_CERTS: ca },
          ROLLOUT_FILE: join(makeFolder({ 'rollout.json': COMPARE_ALL }), 'rollout.json'),
        })
        const at = await servingAt(gateway)
        const pages = await soak(at.legacy, LARGE_PAGES, CALLERS, CALLS / 2)
        expect([Object.keys(pages.answers), pages.failures]).toEqual([['/api/invoice/list 200'], []])
        const { answers, failures, shipments } = await soak(at.legacy, MIXED, CALLERS, CALLS)

        const failed = logOf(gateway).filter(({ failure }) => failure !== undefined)
        expect(failed.map(({ path, failure, reason }) => `${path}: ${failure}, ${reason}`)).toEqual([])
        expect(failures).toEqual([])
        expect(Object.keys(answers).sort()).toEqual([
          '/api/calculate/price 200',
          '/api/consignment/document 200',
          '/api/consignment/package/advance 200',
          '/api/invoice/list 200',
          '/api/invoice/list 400',
          '/api/transaction/charge/list 200',
          '/api/unit/of/measure/all 200',
          '/country/all 200',
        ])
        // The sandbox numbers its shipments without gaps, so one that was created twice would leave a gap.
        const ids = [...shipments].sort((one, other) => one - other)
        expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index))
        expect(logOf(gateway).filter(({ level }) => Number(level) >= 50)).toEqual([])
        expect(await sidesThatFailed(at.admin)).toEqual([])
        expect(await callsUnderWay(at.admin)).toEqual([])
        gateway.child.kill('SIGTERM')
        expect(await gateway.exit).toBe(0)
      },
    )
  })
})

/** The operations that were not compared because a side gave no answer. */
async function sidesThatFailed(admin: string): Promise<readonly unknown[]> {
  const experiments = (await (await fetch(`${admin}/experiments`)).json()) as {
    readonly operations: readonly { readonly totals: { readonly requests: number; readonly failed: number } }[]
  }
  expect(experiments.operations.reduce((sum, { totals }) => sum + totals.requests, 0)).toBeGreaterThan(0)
  return experiments.operations.filter(({ totals }) => totals.failed > 0)
}

/** The lanes of services in which a call still counts as under way, or waits. */
async function callsUnderWay(admin: string): Promise<readonly string[]> {
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  const lanes = metrics.split('\n').filter((line) => /^legacy_gateway_upstream_(running|waiting)\{/.test(line))
  expect(lanes.length).toBeGreaterThan(0)
  return lanes.filter((line) => !line.endsWith(' 0'))
}
