import { operations } from '../../../mappings/index.ts'
import { readRolloutConfig } from '../../app/command-config.ts'
import type { Verdict } from '../../compare/tally/verdict.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import { AdminPortError, type AdminPortOptions, adminUrl, askAdmin } from '../admin-port.ts'
import { aligned } from '../aligned.ts'
import { printable } from '../printable.ts'
import { orExitCode } from '../rollout/or-exit-code.ts'
import { byDefault, hasLegacy, readRollout } from '../rollout/read-rollout.ts'
import { forecast } from './forecast.ts'

/** What the gateway says of all operations. */
interface Heard {
  readonly reports: readonly CutoverReport[]
  readonly verdicts: ReadonlyMap<string, Verdict>
}

const HEADINGS = ['operation', 'now', 'with this file']

/** `legacy-gateway cutover plan FILE --dry-run`: says what the file would do now. Changes nothing. Returns the exit code. */
export const planFile = (file: string, options: AdminPortOptions): Promise<number> =>
  orExitCode(async () => {
    const config = readRolloutConfig()
    const rollout = readRollout(file, config)
    const heard = await listen(options, config)
    const there = { hasLegacy: hasLegacy(config), now: new Date() }
    const rows = operations.map((operation) => {
      const { id } = operation
      const report = heard?.reports.find((each) => each.operation === id)
      const known = { report, verdict: heard?.verdicts.get(id) ?? ('insufficient data' as const) }
      const now = report === undefined ? 'no plan' : `${report.percent} %, ${report.state}`
      return [id, heard === undefined ? 'not known' : now, forecast(operation, rollout.of(id), known, there)]
    })
    const table = aligned([HEADINGS, ...rows], [false, false, false])
    process.stdout.write(
      `${table.map((cells) => printable(cells.join('  ').trimEnd())).join('\n')}\n\n${byDefault(config)}\n`,
    )
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
