import { inSlices } from '../in-slices.ts'
import type { TotalCounts } from '../traffic.ts'

const NAME = 'legacy_gateway_client_calls_total'

/**
 * Returns the legacy calls by client and operation in Prometheus' text format. These are thousands of series, whose text the
 * client library would make in one go.
 */
export async function clientCallsText(totals: readonly TotalCounts[]): Promise<string> {
  const lines = await inSlices(
    totals,
    ({ client, operation, calls }) =>
      `${NAME}{client="${escaped(client)}",operation="${escaped(operation)}"} ${calls}\n`,
  )
  return `# HELP ${NAME} Legacy calls by client, for the first 1,000 clients.\n# TYPE ${NAME} counter\n${lines.join('')}`
}

const escaped = (label: string): string => label.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))
