import { userInfo } from 'node:os'
import type { Action } from '../../cutover/order.ts'
import type { CutoverReport } from '../../cutover/report.ts'
import { AdminPortError, type AdminPortOptions } from '../admin-port.ts'
import { printable, printableJson } from '../printable.ts'
import { askCutover, orCouldNotAsk } from './ask-cutover.ts'

export interface OrderOptions extends AdminPortOptions {
  readonly why: string
  readonly by?: string
  readonly version?: number
  readonly json?: boolean
}

const REFUSED = 1

/** `legacy-gateway cutover ACTION OPERATION --why …`: gives an order, and prints the resulting state. Returns the exit code. */
export const giveOrder = (action: Action, operation: string, options: OrderOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const { why, version, json } = options
    const by = options.by ?? loginName()
    if (by === undefined) throw new AdminPortError('say who you are with --by NAME: the system does not know your name')
    // A URL drops segments of dots.
    if (/^\.*$/.test(operation)) throw new AdminPortError('name the operation by its id, as cutover status shows it')
    const asked = await askCutover(`cutover/${encodeURIComponent(operation)}/${action}`, options, { by, why, version })
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

/** Returns the name of the user that the process runs as; undefined: the system has none. */
export function loginName(): string | undefined {
  try {
    return userInfo().username || undefined
  } catch {
    return undefined
  }
}
