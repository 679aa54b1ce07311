import { counted, distinctInWords } from '../../../common/figures.ts'
import { type NotSent, namedMembers } from '../coverage/not-sent.ts'
import { type Comparison, Findings, type Kind } from '../diff/difference.ts'
import type { Leniency } from '../expected/leniency.ts'
import type { CheckedReport } from '../tally/checked-writes.ts'
import type { OperationReport } from '../tally/operation-report.ts'
import type { DifferenceReport } from '../tally/report-differences.ts'

/**
 * Returns what v1 would not get of a write that legacy accepted: a difference of kind `dropped` for each member, with its path in the
 * request; `""` for all beyond the bound. No answer need show the loss, and nobody knows whether legacy reads the member
 * (docs/contract.md 13.1), so each counts until a line of the mapping, a rule or a waiver says what becomes of it. Values are left out:
 * names that no mapping lists do not tell which of them are personal.
 */
export function droppedMembers(notSent: readonly NotSent[], leniency: Leniency | undefined): Comparison {
  const findings = new Findings('request', leniency)
  for (const { legacy, places } of notSent) {
    for (let place = 0; place < places; place++) findings.add({ kind: 'dropped', path: legacy })
  }
  return findings.comparison()
}

/** Whether an operation's calls were only checked: none was sent to both services. */
export const isOnlyChecked = ({ checked, inputs }: Pick<OperationReport, 'checked' | 'inputs'>): boolean =>
  (checked ?? null) !== null && inputs.distinct === 0

/** Says how much was checked: `69 writes, 60 units, 3 clients, 58 inputs`. */
export const checkedInWords = ({ writes, units, clients, inputs }: CheckedReport): string =>
  [
    counted(writes, 'write'),
    distinctInWords(units, 'unit'),
    distinctInWords(clients, 'client'),
    distinctInWords(inputs, 'input'),
  ].join(', ')

type Told = Pick<DifferenceReport, 'path' | 'requests' | 'clients' | 'ignored'> & { readonly kind: Kind }

/**
 * Says what became of an operation's writes on their way to v1: `69 writes checked, 1 member is lost: gsm (69 calls, 3 clients)`. Empty:
 * none was checked, and none that was compared loses anything.
 */
export function writesInWords({ checked, differences }: Checked): string {
  const lost = differences
    .filter(({ kind, ignored }) => kind === 'dropped' && ignored === null)
    .map(({ path, requests, clients }) => ({ legacy: path, requests, clients }))
  const named = `${counted(lost.length, 'member is', 'members are')} lost: ${namedMembers(lost)}`
  if (checked === null) return lost.length === 0 ? '' : named
  return `${counted(checked.writes, 'write')} checked, ${lost.length === 0 ? 'no member is lost' : named}`
}

interface Checked extends Pick<OperationReport, 'checked'> {
  readonly differences: readonly Told[]
}
