import { userInfo } from 'node:os'
import { count, timeInWords } from '../common/figures.ts'
import { type Style, type TerminalColumn, terminalTable } from '../common/tables.ts'
import type { AuditEntry } from '../control-plane/cutover/audit.ts'
import { countsInWords } from '../control-plane/cutover/audit.ts'
import type { CutoverReport } from '../control-plane/cutover/cutover.ts'
import type { Action } from '../control-plane/cutover/decide/order.ts'
import type { PlanState } from '../control-plane/cutover/position.ts'
import { AdminPortError, type AdminPortOptions, askCutover, orCouldNotAsk, parsed } from './admin-port.ts'
import { operationMeant } from './misspelt.ts'
import { OptionsError, printable, printableJson, styleFor } from './printing.ts'

interface StatusOptions extends AdminPortOptions {
  readonly json?: boolean
}

interface AuditOptions extends StatusOptions {
  readonly operation?: string
  readonly limit?: number
  readonly before?: string
}

interface OrderOptions extends StatusOptions, Reason {
  readonly version?: number
}

/** Why an order is given, and by whom. */
export interface Reason {
  readonly why: string
  readonly by?: string
}

const REFUSED = 1
const COLOURS: Readonly<Record<PlanState, 'green' | 'yellow' | 'red' | 'dim'>> = {
  ...{ waiting: 'dim', running: 'green', 'awaiting approval': 'yellow' },
  ...{ paused: 'yellow', stopped: 'red', done: 'green' },
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
    const { answer } = await askCutover('cutover', options)
    if (!Array.isArray(answer)) {
      throw new AdminPortError('the gateway does not report a cut-over: is it an older version?')
    }
    const all = answer as readonly CutoverReport[]
    const reports = all.filter((report) => operation === undefined || report.operation === operation)
    if (operation !== undefined && reports.length === 0) {
      const planned = all.map((report) => printable(report.operation)).join(', ')
      const others = planned === '' ? 'no operation has one' : `these have one: ${planned}`
      console.error(`${printable(operation)} has no plan; ${others}.`)
      return REFUSED
    }
    if (options.json === true) process.stdout.write(`${printableJson(reports)}\n`)
    else if (reports.length === 0)
      process.stdout.write('No operation has a plan. Plans are defined in the rollout file.\n')
    else process.stdout.write(`${terminalTable(COLUMNS, reports, styleFor(process.stdout)).join('\n')}\n`)
    return 0
  })

/** `legacy-gateway cutover ACTION OPERATION --why …`: gives an order, and prints the resulting state. Returns the exit code. */
export const giveOrder = (action: Action, operation: string, options: OrderOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const { version, json } = options
    const order = { ...giver(options), version }
    // A URL drops segments of dots.
    if (/^\.*$/.test(operation)) throw new AdminPortError('name the operation by its id, as cutover status shows it')
    const asked = await askCutover(`cutover/${encodeURIComponent(operation)}/${action}`, options, order)
    if ('refused' in asked) {
      const { report } = asked.answer as { readonly report?: CutoverReport | null }
      console.error(`${printable(operation)}: ${asked.refused}`)
      if (report !== undefined && report !== null) console.error(`Now: ${inWords(report)}`)
      return REFUSED
    }
    const report = asked.answer as CutoverReport
    process.stdout.write(json === true ? `${printableJson(report)}\n` : `${printable(operation)}: ${inWords(report)}\n`)
    return 0
  })

const inWords = ({ state, percent, step, steps, version, why }: CutoverReport): string =>
  printable(`${state} at ${percent} %, step ${step} of ${steps.length}, version ${version}; ${why}`)

/**
 * Returns who gives an order, and why: by default the user that the process runs as.
 * @throws AdminPortError if the system does not know the user.
 */
export function giver({ by = loginName(), why }: Reason): Required<Reason> {
  if (by !== undefined) return { by, why }
  throw new AdminPortError('say who you are with --by NAME: the system does not know your name')
}

function loginName(): string | undefined {
  try {
    return userInfo().username || undefined
  } catch {
    return undefined
  }
}

/** `legacy-gateway cutover audit`: shows what was decided, newest last. Returns the exit code. */
export const showAudit = ({ operation, limit, before, ...options }: AuditOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    if (operation !== undefined) await refuseMisspeltOperation(operation)
    const parameters = Object.entries({ operation, limit: limit?.toString(), before }).filter(
      ([, value]) => value !== undefined,
    )
    const query = new URLSearchParams(parameters as [string, string][]).toString()
    const asked = await askCutover(query === '' ? 'audit' : `audit?${query}`, options)
    if ('refused' in asked) {
      console.error(asked.refused)
      return REFUSED
    }
    const { entries, next } = asked.answer as { readonly entries: readonly AuditEntry[]; readonly next: string | null }
    const style = styleFor(process.stdout)
    const older = next === null ? [] : [style('dim', `For older decisions: --before '${printable(next)}'`), '']
    if (options.json === true) process.stdout.write(`${printableJson(asked.answer)}\n`)
    else if (entries.length === 0) process.stdout.write('There are no decisions.\n')
    else
      process.stdout.write([...older, ...entries.toReversed().flatMap((entry) => linesOf(entry, style)), ''].join('\n'))
    return 0
  })

/** @throws OptionsError if an operation is unknown here, and similar to one that is not. */
async function refuseMisspeltOperation(operation: string): Promise<void> {
  const { operations } = await import('../../mappings/index.ts')
  const meant = operations.some(({ id }) => id === operation) ? '' : operationMeant(operation, operations)
  if (meant !== '') throw new OptionsError(`--operation: no such operation: ${printable(operation)}${meant}`)
}

function linesOf({ at, event, operation, by, from, to, why, lineage, counts }: AuditEntry, style: Style): string[] {
  const change = from === to ? [to] : [from, to].filter((text) => text !== '')
  const head = `${timeInWords(at)}  ${operation}  `
  const versions = Object.entries((parsed(lineage) ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  const counted = countsInWords((parsed(counts) ?? {}) as Readonly<Record<string, number>>)
  const basis = [...counted, versions.join(', ')].filter((text) => text !== '').join('; ')
  return [
    `${style('dim', printable(head))}${style('bold', printable(event))}${printable(` by ${by}: ${change.join(' → ')}`)}`,
    // The entry of a changed file has the changed lines as its reason.
    ...why.split('\n').map((line) => `    ${printable(line)}`),
    ...(basis === '' ? [] : [style('dim', `    ${printable(basis)}`)]),
  ]
}
