import type { ClientsReport, ReportedUsage } from '../../../../src/control-plane/usage/report-usage.ts'
import { callLegacy } from '../../../support/legacy-client.ts'

/** Asks `GET /clients` until it holds; as long as a busy machine may take. What it knows may be a second old. */
export async function clientsThat(
  adminUrl: string,
  hold: (report: ClientsReport) => boolean,
  path = '/clients',
): Promise<ClientsReport> {
  let last = ''
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    last = (await callLegacy(adminUrl, { path })).text
    const report = JSON.parse(last) as ClientsReport
    if (hold(report)) return report
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`GET /clients does not show it: ${last}`)
}

export const usageOf = (report: ClientsReport, client: string, operation: string): ReportedUsage | undefined =>
  report.clients.find((one) => one.client === client)?.operations[operation]

export const callsOf = (report: ClientsReport, client: string, operation: string): number =>
  usageOf(report, client, operation)?.calls ?? 0
