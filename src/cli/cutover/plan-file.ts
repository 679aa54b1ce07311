import { operations } from '../../../mappings/index.ts'
import { readRolloutConfig } from '../../app/command-config.ts'
import { type TerminalColumn, terminalTable } from '../../common/tables.ts'
import type { Verdict } from '../../compare/tally/verdict.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import type { Operation } from '../../mapping/operation.ts'
import { AdminPortError, type AdminPortOptions, adminUrl, askAdmin } from '../admin-port.ts'
import { printable } from '../printable.ts'
import { orExitCode } from '../rollout/or-exit-code.ts'
import { byDefault, hasLegacy, readRollout } from '../rollout/read-rollout.ts'
import { forecast } from './forecast.ts'

/** What the gateway says of all operations. */
interface Heard {
  readonly reports: readonly CutoverReport[]
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** `legacy-gateway cutover plan FILE --dry-run`: says what the file would do now. Changes nothing. Returns the exit code. */
export const planFile = (file: string, options: AdminPortOptions): Promise<number> =>
  orExitCode(async () => {
    const config = readRolloutConfig()
    const rollout = readRollout(file, config)
    const heard = await listen(options, config)
    const there = { hasLegacy: hasLegacy(config), now: new Date() }
    const reportOf = ({ id }: Operation) => heard?.reports.find((report) => report.operation === id)
    const nowOf = (operation: Operation): string => {
      const report = reportOf(operation)
      if (heard === undefined) return 'not known'
      return report === undefined ? 'no plan' : `${report.percent} %, ${report.state}`
    }
    const forecastOf = (operation: Operation): string => {
      const verdict = heard?.verdicts.get(operation.id) ?? 'insufficient data'
      return forecast(operation, rollout.of(operation.id), { report: reportOf(operation), verdict }, there)
    }
    const columns: readonly TerminalColumn<Operation>[] = [
      { head: 'operation', cell: ({ id }) => id },
      { head: 'now', cell: nowOf },
      { head: 'with this file', cell: forecastOf },
    ]
    const lines = terminalTable(columns, operations).map(printable)
    process.stdout.write(`${lines.join('\n')}\n\n${byDefault(config)}\n`)
  })

/** Asks where plans stand, and what is proven. Undefined: no gateway answers where one is configured to listen. */
async function listen(
  { admin, token }: AdminPortOptions,
  config: ReturnType<typeof readRolloutConfig>,
): Promise<Heard | undefined> {
  const read = async (path: string): Promise<unknown> => {
    const url = adminUrl(path, admin, config)
    const { status, text } = await askAdmin(url, token ?? config.adminToken).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof AdminPortError || (admin === undefined && error.code === 'ECONNREFUSED')) throw error
      throw new AdminPortError(`no gateway answers at ${url.origin} (${error.code ?? error.message}): is it running?`)
    })
    if (status === 200) return JSON.parse(text)
    throw new AdminPortError(
      `${url.href} does not report a cut-over (${status}): is it the admin port of this gateway?`,
    )
  }
  try {
    const reports = (await read('cutover')) as readonly CutoverReport[]
    const { operations: judged } = (await read('experiments')) as {
      readonly operations: readonly { readonly operation: string; readonly verdict: Verdict }[]
    }
    return { reports, verdicts: new Map(judged.map(({ operation, verdict }) => [operation, verdict])) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
    console.error('No gateway answers, so each plan is assumed to stand at 0 %, with nothing proven.')
    return undefined
  }
}
