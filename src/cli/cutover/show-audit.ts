import { styleText } from 'node:util'
import { timeInWords } from '../../common/figures.ts'
import type { Style } from '../../common/tables.ts'
import { countsInWords } from '../../cutover/counts-in-words.ts'
import type { AuditEntry } from '../../cutover/event.ts'
import type { AdminPortOptions } from '../admin-port.ts'
import { printable, printableJson } from '../printable.ts'
import { askCutover, orCouldNotAsk } from './ask-cutover.ts'

export interface AuditOptions extends AdminPortOptions {
  readonly operation?: string
  readonly limit?: string
  readonly before?: string
  readonly json?: boolean
}

interface AuditPage {
  readonly entries: readonly AuditEntry[]
  readonly next: string | null
}

const REFUSED = 1

/** `legacy-gateway cutover audit`: shows what was decided, newest last. Returns the exit code. */
export const showAudit = ({ operation, limit, before, ...options }: AuditOptions): Promise<number> =>
  orCouldNotAsk(async () => {
    const given = Object.entries({ operation, limit, before }).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(given as [string, string][]).toString()
    const asked = await askCutover(query === '' ? 'audit' : `audit?${query}`, options)
    if ('refused' in asked) {
      console.error(asked.refused)
      return REFUSED
    }
    const { entries, next } = asked.answer as AuditPage
    const style: Style = (format, text) => styleText(format, text, { stream: process.stdout })
    const older = next === null ? [] : [style('dim', `For older decisions: --before '${printable(next)}'`), '']
    if (options.json === true) process.stdout.write(`${printableJson(asked.answer)}\n`)
    else if (entries.length === 0) process.stdout.write('There are no decisions.\n')
    else
      process.stdout.write([...older, ...entries.toReversed().flatMap((entry) => linesOf(entry, style)), ''].join('\n'))
    return 0
  })

function linesOf({ at, event, operation, by, from, to, why, lineage, counts }: AuditEntry, style: Style): string[] {
  const change = from === to ? [to] : [from, to].filter((text) => text !== '')
  const head = `${timeInWords(at)}  ${operation}  `
  const versions = Object.entries(objectOf<unknown>(lineage)).filter(([, value]) => value !== null)
  const basis = [
    ...countsInWords(objectOf<number>(counts)),
    versions.map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`).join(', '),
  ]
    .filter((text) => text !== '')
    .join('; ')
  return [
    `${style('dim', printable(head))}${style('bold', printable(event))}${printable(` by ${by}: ${change.join(' → ')}`)}`,
    // The entry of a changed file has the changed lines as its reason.
    ...why.split('\n').map((line) => `    ${printable(line)}`),
    ...(basis === '' ? [] : [style('dim', `    ${printable(basis)}`)]),
  ]
}

function objectOf<T>(json: string): Readonly<Record<string, T>> {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}
