import { type BrownoutReport, type BrownoutsReport, isCut } from '../../cutover/brownout/brownout-report.ts'
import { count, timeInWords } from '../../common/figures.ts'
import { AdminPortError, type AdminPortOptions } from '../admin-port.ts'
import { aligned } from '../aligned.ts'
import { askCutover, orCouldNotAsk } from '../cutover/ask-cutover.ts'
import { printable, printableJson } from '../printable.ts'

export interface ListOptions extends AdminPortOptions {
  readonly json?: boolean
}

const HEADINGS = [
  'n',
  'state',
  'from (UTC)',
  'until (UTC)',
  'refuses',
  'operations',
  'clients',
  'refused',
  'call since',
]
const IS_NUMBER = [true, false, false, false, false, false, true, true, true]

/** `legacy-gateway brownouts list`: shows all brownouts. Returns the exit code. */
export const listBrownouts = (options: ListOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const report = reportIn(await askCutover('brownouts', options))
    if (options.json === true) process.stdout.write(`${printableJson(report)}\n`)
    else if (report.brownouts.length === 0)
      process.stdout.write('There are no brownouts. Brownouts are defined in the rollout file.\n')
    else process.stdout.write(`${tableOf(report).join('\n')}\n`)
    return 0
  })

function reportIn({ answer }: { readonly answer: unknown }): BrownoutsReport {
  if (Array.isArray((answer as { readonly brownouts?: unknown } | null)?.brownouts)) return answer as BrownoutsReport
  throw new AdminPortError('the gateway does not report brownouts: is it an older version?')
}

const tableOf = ({ brownouts, since, incomplete }: BrownoutsReport): readonly string[] => [
  ...aligned([HEADINGS, ...brownouts.map(rowOf)], IS_NUMBER).map((row) => row.join('  ').trimEnd()),
  `Clients, by their calls in the 30 days before; of brownouts to come, since ${timeInWords(since)} UTC.`,
  ...(incomplete === true ? ['STATE_DB cannot be read now: calls of brownouts that have begun may be missing.'] : []),
]

function rowOf(brownout: BrownoutReport): readonly string[] {
  const { n, state, from, until, percent, of, status, operations, clients } = brownout
  const said = (number: number, isLeast: boolean): string => `${isLeast ? 'at least ' : ''}${count(number)}`
  const those = (counted: 'refused' | 'since'): string => {
    if (state === 'to come' || (counted === 'since' && state === 'under way')) return '–'
    const number = clients.filter((client) => client[counted] > 0).length
    // Clients that have called since are listed first.
    return said(number, isCut(brownout) && (counted === 'refused' || number === clients.length))
  }
  return [
    ...[String(n), state, timeInWords(from), timeInWords(until), `${percent} % of ${of}, ${status}`],
    ...[operations.includes('*') ? 'all' : operations.join(', '), said(clients.length, isCut(brownout))],
    ...[those('refused'), those('since')],
  ].map(printable)
}
