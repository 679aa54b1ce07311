import { count, timeInWords, timeInZoneOf } from '../common/figures.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import type { Ended } from '../control-plane/cutover/brownout/current-brownouts.ts'
import {
  type BrownoutReport,
  type BrownoutsReport,
  isCut,
} from '../control-plane/cutover/brownout/current-brownouts.ts'
import { AdminPortError, type AdminPortOptions, askCutover, orCouldNotAsk } from './admin-port.ts'
import { giver, type Reason } from './cutover-command.ts'
import { printable, printableJson } from './printing.ts'

interface ListOptions extends AdminPortOptions {
  readonly json?: boolean
}

type EndOptions = ListOptions & Reason

const REFUSED = 1

const COLUMNS: readonly TerminalColumn<BrownoutReport>[] = [
  { head: 'n', kind: 'number', cell: ({ n }) => printable(String(n)) },
  { head: 'state', cell: ({ state }) => printable(state) },
  { head: 'from', cell: ({ from }) => timeInZoneOf(from, from) },
  { head: 'until', cell: ({ from, until }) => timeInZoneOf(until, from) },
  { head: 'refuses', cell: ({ percent, of, status }) => printable(`${percent} % of ${of}, ${status}`) },
  {
    head: 'operations',
    cell: ({ operations }) => (operations.includes('*') ? 'all' : printable(operations.join(', '))),
  },
  { head: 'clients', kind: 'number', cell: (brownout) => atLeast(brownout.clients.length, isCut(brownout)) },
  { head: 'refused', kind: 'number', cell: (brownout) => clientsOf(brownout, 'refused') },
  { head: 'call since', kind: 'number', cell: (brownout) => clientsOf(brownout, 'since') },
]

/** `legacy-gateway brownouts list`: shows all brownouts. Returns the exit code. */
export const listBrownouts = (options: ListOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const { answer } = await askCutover('brownouts', options)
    if (!Array.isArray((answer as { readonly brownouts?: unknown } | null)?.brownouts)) {
      throw new AdminPortError('the gateway does not report brownouts: is it an older version?')
    }
    const report = answer as BrownoutsReport
    if (options.json === true) process.stdout.write(`${printableJson(report)}\n`)
    else if (report.brownouts.length === 0)
      process.stdout.write('There are no brownouts. Brownouts are defined in the rollout file.\n')
    else process.stdout.write(`${tableOf(report).join('\n')}\n`)
    return 0
  })

const tableOf = ({ brownouts, since, incomplete }: BrownoutsReport): readonly string[] => [
  ...terminalTable(COLUMNS, brownouts),
  `Clients, by their calls in the 30 days before; of brownouts to come, since ${timeInWords(since)} UTC.`,
  ...(incomplete === true ? ['STATE_DB cannot be read now: calls of brownouts that have begun may be missing.'] : []),
]

const atLeast = (number: number, isLeast: boolean): string => `${isLeast ? 'at least ' : ''}${count(number)}`

/** Says how many clients were refused, or have called since. */
function clientsOf(brownout: BrownoutReport, counted: 'refused' | 'since'): string {
  const { state, clients } = brownout
  if (state === 'to come' || (counted === 'since' && state === 'under way')) return '–'
  const number = clients.filter((client) => client[counted] > 0).length
  // Clients that have called since are listed first.
  return atLeast(number, isCut(brownout) && (counted === 'refused' || number === clients.length))
}

/** `legacy-gateway brownouts end --why …`: ends all brownouts that are under way. Returns the exit code. */
export const endBrownouts = (options: EndOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const asked = await askCutover('brownouts/end', options, giver(options))
    if ('refused' in asked) {
      console.error(asked.refused)
      return REFUSED
    }
    const ended = asked.answer as Ended
    process.stdout.write(options.json === true ? `${printableJson(ended)}\n` : `${inWords(ended)}\n`)
    return 0
  })

function inWords({ ended, kept }: Ended): string {
  const which = ended.length === 0 ? 'No brownout was under way.' : `Ended: brownout ${ended.join(', ')}.`
  return kept
    ? which
    : `${which} It is not stored, so only this gateway knows of it, and only until it stops. If STATE_DB is set, the gateway stores it as soon as it can.`
}
