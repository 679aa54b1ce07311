import { gzipSync } from 'node:zlib'
import { openUpstream, type Upstream } from '../../src/data-plane/upstream/upstream.ts'
import { median } from './measure.ts'
import { nginxVersion, runNginx } from './peers/run-nginx.ts'
import { invoice, page } from './peers/v1-answers.ts'

const ROUNDS = 9
const CALLS = 400
const AT_A_TIME = 16

/**
 * Measures whether it pays to request compressed answers from v1: the same page from an nginx that compresses on
 * request, in turn with gzip and without. Only the gateway's work counts, as if compression were free for v1.
 */
export async function compressedAnswers(print: (line: string) => void): Promise<void> {
  if ((await nginxVersion()) === undefined) return print('skipped: nginx is not installed')
  for (const rows of [25, 200]) {
    const json = JSON.stringify(page(invoice, rows, 1, rows))
    const packed = gzipSync(json)
    const nginx = await runNginx({
      // Compressed in advance, so that nginx does the same work on both sides.
      http: (port) => `gzip_static on; server { listen 127.0.0.1:${port}; }`,
      files: new Map<string, string | Uint8Array>([
        ['page', json],
        ['page.gz', packed],
      ]),
    })
    const [plain, gzip] = ['identity', 'gzip'].map((coding) =>
      openUpstream({ baseUrl: new URL(nginx.url), headers: { 'accept-encoding': coding }, timeoutMs: 10_000 }),
    ) as [Upstream, Upstream]
    try {
      await asked(plain)
      await asked(gzip)
      const rounds: { readonly plain: Cost; readonly gzip: Cost }[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push({ plain: await asked(plain), gzip: await asked(gzip) })
      const ratio = (of: (cost: Cost) => number): number =>
        median(rounds.map((round) => of(round.gzip) / of(round.plain)))
      const extraUs = median(rounds.map((round) => round.gzip.cpuUs - round.plain.cpuUs))
      const bytes = Buffer.byteLength(json)
      print(
        `${rows} invoices, ${bytes} bytes, ${packed.length} with gzip: ` +
          `${ratio(({ perSecond }) => perSecond).toFixed(2)} times the calls a second, ` +
          `${ratio(({ cpuUs }) => cpuUs).toFixed(2)} times the CPU; ${extraUs.toFixed(0)} µs more for ${bytes - packed.length} bytes less`,
      )
    } finally {
      await Promise.all([plain.close(), gzip.close(), nginx.stop()])
    }
  }
}

interface Cost {
  readonly perSecond: number
  /** The processor time of all threads of the process, for one call. */
  readonly cpuUs: number
}

async function asked(upstream: Upstream): Promise<Cost> {
  const request = { method: 'GET', path: '/page', headers: {}, body: undefined, repeatable: true } as const
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  let left = CALLS
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const { status } = await upstream.call(request)
      if (status !== 200) throw new Error(`nginx answers ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: CALLS / ((performance.now() - started) / 1_000), cpuUs: (user + system) / CALLS }
}
