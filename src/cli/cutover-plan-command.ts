import { operations } from '../../mappings/index.ts'
import { readRolloutConfig } from '../app/command-config.ts'
import { chosenPercent } from '../common/figures.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import type { CutoverReport } from '../control-plane/cutover/cutover.ts'
import { outlookOf } from '../control-plane/cutover/decide/outlook.ts'
import { startOf } from '../control-plane/cutover/position.ts'
import type { Verdict } from '../control-plane/evidence/tally/verdict.ts'
import { gateName, type Plan } from '../control-plane/rollout/plan.ts'
import type { OperationRollout } from '../control-plane/rollout/rollout.ts'
import type { Operation } from '../mapping/operation.ts'
import { type AdminPortOptions, askAdmin, NoAnswer, notAdminPort } from './admin-port.ts'
import { orMistakes } from './checked-file.ts'
import { printable } from './printing.ts'
import { byDefault, hasLegacy, readRollout, whoAnswers } from './rollout-command.ts'

/** What the gateway says of all operations. */
interface Answers {
  readonly reports: readonly CutoverReport[]
  readonly verdicts: ReadonlyMap<string, Verdict>
}

/** `legacy-gateway cutover plan FILE --dry-run`: says what the file would do now. Changes nothing. Returns the exit code. */
export const planFile = (file: string, options: AdminPortOptions): Promise<number> =>
  orMistakes(async () => {
    const config = readRolloutConfig()
    const rollout = readRollout(file, config)
    const answers = await askGateway(options, config)
    const there = { hasLegacy: hasLegacy(config), now: new Date() }
    const reportOf = ({ id }: Operation) => answers?.reports.find((report) => report.operation === id)
    const nowOf = (operation: Operation): string => {
      const report = reportOf(operation)
      if (answers === undefined) return 'not known'
      return report === undefined ? 'no plan' : `${report.percent} %, ${report.state}`
    }
    const forecastOf = (operation: Operation): string => {
      const verdict = answers?.verdicts.get(operation.id) ?? 'insufficient data'
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
async function askGateway(
  options: AdminPortOptions,
  config: ReturnType<typeof readRolloutConfig>,
): Promise<Answers | undefined> {
  const read = async (path: string): Promise<unknown> => {
    const { url, status, text } = await askAdmin(path, options, config, { advice: 'is it running?' })
    if (status === 200) return JSON.parse(text)
    throw notAdminPort(url, status)
  }
  try {
    const reports = (await read('cutover')) as readonly CutoverReport[]
    const { operations: judged } = (await read('experiments')) as {
      readonly operations: readonly { readonly operation: string; readonly verdict: Verdict }[]
    }
    return { reports, verdicts: new Map(judged.map(({ operation, verdict }) => [operation, verdict])) }
  } catch (error) {
    if (!(error instanceof NoAnswer && error.isRefused && options.admin === undefined)) throw error
    console.error('No gateway answers, so each plan is assumed to stand at 0 %, with nothing proven.')
    return undefined
  }
}

/** Where an operation stands now. */
interface Standing {
  /** Undefined: it has no plan, or no gateway was asked. */
  readonly report: CutoverReport | undefined
  readonly verdict: Verdict
}

const NOBODY = { calls: 0, failures: 0, times: [] }

/** Returns what a rollout file would do with an operation now, in words. */
function forecast(
  operation: Operation,
  wanted: OperationRollout,
  { report, verdict }: Standing,
  there: { readonly hasLegacy: boolean; readonly now: Date },
): string {
  const { plan } = wanted
  if (plan === undefined) {
    const text = whoAnswers(operation, wanted, there.hasLegacy)
    const after = wanted.serve === 'v1' ? 100 : wanted.v1Percent
    if (report === undefined) return text
    if (report.percent === after) return `${text}${movedBySeed(report, {})}`
    return `the plan ends: v1 goes from ${report.percent} % to ${after} % at once; ${text}`
  }
  const position = { ...startOf(operation.id, there.now.toISOString()), ...placeOf(report) }
  // Failures are left to the gateway's brake, which also knows those of the legacy service.
  const v1 = { ...NOBODY, calls: report?.calls ?? 0 }
  const stays = `${report === undefined ? 'begins' : 'stays'} at ${position.percent} %`
  if (report !== undefined && HELD.has(report.state)) return `${stays}: ${report.why}${movedBySeed(report, plan)}`
  const { move, next, why } = outlookOf({ position, plan, verdict, isFresh: true, v1, legacy: NOBODY, now: there.now })
  const moved = report === undefined ? '' : movedBySeed(report, plan)
  if (move === undefined || move.to.percent === position.percent) {
    return `${stays}${next === null ? '' : `, next ${next} %`}: ${why}${moved}`
  }
  const when = plan.gate === undefined ? 'at once' : `as soon as ${gateName(plan.gate)} says so`
  return `goes from ${position.percent} % to ${move.to.percent} % ${when}: ${why}${moved}`
}

/** Says how many clients change sides because another seed draws them. */
function movedBySeed({ percent, seed }: CutoverReport, plan: Pick<Plan, 'seed'>): string {
  const moving = percent * (1 - percent / 100)
  if ((seed ?? null) === (plan.seed ?? null) || moving === 0) return ''
  const share = chosenPercent(moving / 100)
  return `; another seed draws the clients: about ${share} of the clients move to v1, and as many back to legacy, at once`
}

/** The states that only a person can end. */
const HELD: ReadonlySet<string> = new Set(['paused', 'stopped'])

const placeOf = (report: CutoverReport | undefined) =>
  report && { state: report.state, percent: report.percent, step: report.step, since: report.since }
