import { setInterval } from 'node:timers/promises'
import { load } from './peers/load.ts'
import { startUpstream } from './peers/upstream.ts'
import { invoices } from './peers/work.ts'
import { residentBytes, startGatewayProcess } from './processes.ts'

const WARM_UP_SECONDS = 20
const SECONDS = 60
const AT_ENDS = 10

export interface Flat {
  /** The gateway's size in bytes, each second. */
  readonly sizes: readonly number[]
  /** The size of the last ten seconds divided by that of the first ten. */
  readonly grown: number
}

/** Measures whether memory stays flat under load: the gateway's size over a minute, once it is warm. */
export async function flat(print: (line: string) => void): Promise<Flat> {
  const upstream = await startUpstream()
  const gateway = await startGatewayProcess(upstream.url)
  try {
    const under = (seconds: number) => load(gateway.url, invoices(25), { connections: 16, seconds })
    await under(WARM_UP_SECONDS)
    const loading = under(SECONDS)
    const sizes: number[] = []
    for await (const _ of setInterval(1_000)) {
      sizes.push(residentBytes(gateway.pid).now)
      if (sizes.length === SECONDS) break
    }
    const { rate } = await loading
    const [first, last] = [mean(sizes.slice(0, AT_ENDS)), mean(sizes.slice(-AT_ENDS))]
    const result = { sizes, grown: last / first }
    print(
      `  ${SECONDS} s at ${rate.toFixed(0)}/s: ${megabytes(Math.min(...sizes))} to ${megabytes(Math.max(...sizes))}`,
    )
    print(
      `  ${megabytes(first)} in the first ten seconds, ${megabytes(last)} in the last: ${result.grown.toFixed(2)} times`,
    )
    return result
  } finally {
    await gateway.stop()
    await upstream.stop()
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
