import { inSlices } from '../in-slices.ts'
import type { TotalCounts } from '../traffic.ts'

const NAME = 'legacy_gateway_client_calls_total'

/**
 * Legacy calls by client and operation in the text format of Prometheus: thousands of series, of which the client library would
 * make a text all at once.
 */
export async function clientCallsText(totals: readonly TotalCounts[]): Promise<string> {
  const lines = await inSlices(
    totals,
    ({ client, operation, calls }) =>
      `${NAME}{client="${escaped(client)}",operation="${escaped(operation)}"} ${calls}\n`,
  )
  return `# HELP ${NAME} Legacy calls by client, of the first 1,000.\n# TYPE ${NAME} counter\n${lines.join('')}`
}

const escaped = (label: string): string => label.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))
