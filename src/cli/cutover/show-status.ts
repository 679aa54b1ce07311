import { styleText } from 'node:util'
import type { PlanState } from '../../cutover/position.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import { count, timeInWords } from '../../common/figures.ts'
import { AdminPortError, type AdminPortOptions } from '../admin-port.ts'
import { aligned } from '../aligned.ts'
import type { Style } from '../explain/write-lines.ts'
import { printable, printableJson } from '../printable.ts'
import { askCutover, orCouldNotAsk } from './ask-cutover.ts'

export interface StatusOptions extends AdminPortOptions {
  readonly json?: boolean
}

const REFUSED = 1
const HEADINGS = ['operation', 'state', 'v1', 'step', 'calls', 'failures', 'since (UTC)', 'version', 'why'] as const
const IS_NUMBER = [false, false, true, true, true, true, false, true, false] as const
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
    else process.stdout.write(`${tableOf(reports, style).join('\n')}\n`)
    return 0
  })

function reportsIn({ answer }: { readonly answer: unknown }): readonly CutoverReport[] {
  if (Array.isArray(answer)) return answer as readonly CutoverReport[]
  throw new AdminPortError('the gateway does not report a cut-over: is it an older version?')
}

function tableOf(reports: readonly CutoverReport[], style: Style): readonly string[] {
  const rows = reports.map(({ operation, state, percent, step, steps, since, version, calls, why, brake }) =>
    [
      ...[operation, state, `${percent} %`, `${step} of ${steps.length}`, count(calls), count(brake.failures)],
      ...[timeInWords(since), `${version}`, why],
    ].map(printable),
  )
  const [headings = [], ...lines] = aligned([HEADINGS, ...rows], IS_NUMBER)
  return [
    style('dim', headings.join('  ').trimEnd()),
    ...lines.map(([operation = '', state = '', ...others], at) =>
      [operation, style(COLOURS[reports[at]?.state ?? 'waiting'] ?? 'dim', state), ...others].join('  ').trimEnd(),
    ),
  ]
}
