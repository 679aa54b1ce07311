import { styleText } from 'node:util'
import { count, timeInWords } from '../../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../../common/tables.ts'
import type { PlanState } from '../../cutover/position.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import { AdminPortError, type AdminPortOptions } from '../admin-port.ts'
import { printable, printableJson } from '../printable.ts'
import { askCutover, orCouldNotAsk } from './ask-cutover.ts'

export interface StatusOptions extends AdminPortOptions {
  readonly json?: boolean
}

const REFUSED = 1
const COLOURS: Readonly<Record<PlanState, 'green' | 'yellow' | 'red' | 'dim'>> = {
  ...{
    waiting: 'dim',
    running: 'green',
    'awaiting approval': 'yellow',
    paused: 'yellow',
    stopped: 'red',
    done: 'green',
  },
}

const COLUMNS: readonly TerminalColumn<CutoverReport>[] = [
  { head: 'operation', cell: ({ operation }) => printable(operation) },
  { head: 'state', cell: ({ state }) => printable(state), format: ({ state }) => COLOURS[state] ?? 'dim' },
  { head: 'v1', kind: 'number', cell: ({ percent }) => printable(`${percent} %`) },
  { head: 'step', kind: 'number', cell: ({ step, steps }) => printable(`${step} of ${steps.length}`) },
  { head: 'calls', kind: 'number', cell: ({ calls }) => count(calls) },
  { head: 'failures', kind: 'number', cell: ({ brake }) => count(brake.failures) },
  { head: 'since (UTC)', cell: ({ since }) => timeInWords(since) },
  { head: 'version', kind: 'number', cell: ({ version }) => printable(`${version}`) },
  { head: 'why', cell: ({ why }) => printable(why) },
]

/** `legacy-gateway cutover status [OPERATION]`: shows where each plan stands, or one. Returns the exit code. */
export const showStatus = (operation: string | undefined, options: StatusOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const all = reportsIn(await askCutover('cutover', options))
    const reports = all.filter((report) => operation === undefined || report.operation === operation)
    if (operation !== undefined && reports.length === 0) {
      const planned = all.map((report) => printable(report.operation)).join(', ')
      const others = planned === '' ? 'no operation has one' : `these have one: ${planned}`
      console.error(`${printable(operation)} has no plan; ${others}.`)
      return REFUSED
    }
    const style: Style = (format, text) => styleText(format, text, { stream: process.stdout })
    if (options.json === true) process.stdout.write(`${printableJson(reports)}\n`)
    else if (reports.length === 0)
      process.stdout.write('No operation has a plan. Plans are defined in the rollout file.\n')
    else process.stdout.write(`${terminalTable(COLUMNS, reports, style).join('\n')}\n`)
    return 0
  })

function reportsIn({ answer }: { readonly answer: unknown }): readonly CutoverReport[] {
  if (Array.isArray(answer)) return answer as readonly CutoverReport[]
  throw new AdminPortError('the gateway does not report a cut-over: is it an older version?')
}
