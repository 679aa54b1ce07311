import { chosenPercent } from '../../common/figures.ts'
import { type TerminalColumn, terminalTable } from '../../common/tables.ts'
import type { BrownoutRule } from '../../compare/rollout/brownout-rule.ts'
import { neverCompared, whyNotInherited } from '../../compare/rollout/inherit.ts'
import { planInWords } from '../../compare/rollout/plan-in-words.ts'
import type { OperationRollout, Rollout } from '../../compare/rollout/rollout.ts'
import type { Operation } from '../../mapping/operation.ts'

/** Returns what a rollout file means, as lines: a table of operations, then plans, then brownouts. */
export function describeRollout(
  rollout: Rollout,
  operations: readonly Operation[],
  hasLegacy: boolean,
): readonly string[] {
  const rulesOf = ({ id }: Operation) => rollout.ignore.filter(({ operation }) => operation === id || operation === '*')
  const columns: readonly TerminalColumn<Operation>[] = [
    { head: 'operation', cell: ({ id }) => id },
    { head: 'who answers', cell: (operation) => whoAnswers(operation, rollout.of(operation.id), hasLegacy) },
    { head: 'compared', cell: (operation) => compared(operation, rollout.of(operation.id)) },
    { head: 'ignore rules', kind: 'number', cell: (operation) => String(rulesOf(operation).length) },
  ]
  return [
    ...terminalTable(columns, operations),
    ...section('Plans', plansOf(operations, rollout)),
    ...section('Brownouts', rollout.brownouts.map(brownoutInWords)),
    ...(hasLegacy && operations.every((operation) => !isCompared(operation, rollout)) ? NOTHING_COMPARED : []),
  ]
}

const NOTHING_COMPARED = [
  '',
  'Nothing is compared. To compare every call, add "shadow": 1 to "*"; that does not change who answers.',
]

const isCompared = (operation: Operation, { of }: Rollout): boolean =>
  operation.v1 !== undefined && neverCompared(operation) === undefined && of(operation.id).shadow > 0

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

/** Says who answers an operation: `legacy, v1 for 25 % of clients; demo-client by v1`. */
export function whoAnswers({ v1 }: Operation, own: OperationRollout, hasLegacy: boolean): string {
  if (v1 === undefined) return hasLegacy ? 'legacy: v1 has no equivalent' : 'nobody: v1 has no equivalent'
  const { serve, v1Percent, plan, clients } = own
  const legacy = plan ? 'legacy, v1 by its plan' : v1Percent > 0 ? `legacy, v1 for ${v1Percent} % of clients` : 'legacy'
  return [serve === 'v1' ? 'v1' : legacy, ...byName(clients)].join('; ')
}

/** More clients than this are counted, not named. */
const MOST_NAMES = 3

function byName(clients: OperationRollout['clients']): readonly string[] {
  return (['v1', 'legacy'] as const).flatMap((side) => {
    const names = Object.keys(clients).filter((client) => clients[client] === side)
    const text = names.length > MOST_NAMES ? `${names.length} clients` : names.join(', ')
    return names.length === 0 ? [] : [`${side} for ${text}`]
  })
}

function compared(operation: Operation, { shadow, shadowWrites }: OperationRollout): string {
  if (operation.v1 === undefined) return 'never'
  const kind = neverCompared(operation)
  if (kind === 'a write' && shadowWrites !== undefined) return 'checked, not sent'
  if (kind !== undefined) return `never: ${kind}`
  return shadow === 0 ? 'no' : chosenPercent(shadow)
}

/** Operations that have the same plan, or lack the plan of * for the same reason, share a line. */
function plansOf(operations: readonly Operation[], rollout: Rollout): readonly string[] {
  const said = operations.flatMap((operation) => {
    const text = planOf(operation, rollout)
    return text === undefined ? [] : [{ id: operation.id, text }]
  })
  const byText = Map.groupBy(said, ({ text }) => text)
  return Array.from(byText, ([text, group]) => `${group.map(({ id }) => id).join(', ')}: ${text}`)
}

function planOf(operation: Operation, { of, said }: Rollout): string | undefined {
  const { plan } = of(operation.id)
  if (plan !== undefined) return planInWords(plan)
  const why = whyNotInherited(said[operation.id] ?? {}, said['*'] ?? {}, operation)
  return why && `not the plan of *: ${why}`
}

function brownoutInWords({ operations, from, to, percent: share, of, status, except, why }: BrownoutRule): string {
  const who = except.length === 0 ? '' : `, but never ${except.join(', ')}`
  return `${from} to ${to}: ${share} % of ${of} of ${operations.join(', ')} get ${status}${who}: ${why}`
}
