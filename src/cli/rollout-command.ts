import { type RolloutConfig, readRolloutConfig } from '../app/command-config.ts'
import { keepsState } from '../app/open-store.ts'
import { readMappings } from '../app/read-mappings.ts'
import { rolloutParser } from '../app/rollout-parser.ts'
import { chosenPercent } from '../common/figures.ts'
import { shellWord } from '../common/shell.ts'
import { type TerminalColumn, terminalTable } from '../common/tables.ts'
import { canBeReady, neverCompared } from '../control-plane/evidence/comparable.ts'
import type { BrownoutRule } from '../control-plane/rollout/brownout-rule.ts'
import type { Surroundings } from '../control-plane/rollout/contradictions.ts'
import { copiedBy, whyNotInherited } from '../control-plane/rollout/operation-rollout.ts'
import type { OperationRollout, Rollout } from '../control-plane/rollout/rollout.ts'
import { planInWords } from '../control-plane/rollout/rollout-diff.ts'
import { shipped } from '../data-plane/gateway/load-mappings.ts'
import type { Operation } from '../mapping/operation.ts'
import { orMistakes, textOf } from './checked-file.ts'
import { printable, printableJson } from './printing.ts'

/** `legacy-gateway rollout check FILE`: prints what the file means. Returns the exit code. */
export const checkRollout = (file: string, { json }: { readonly json?: boolean } = {}): Promise<number> =>
  orMistakes(
    async () => {
      const config = readRolloutConfig()
      const rollout = readRollout(file, config)
      if (json === true) {
        process.stdout.write(`${printableJson(checked(rollout, config, file))}\n`)
        return
      }
      const lines = [...describeRollout(rollout, shipped, hasLegacy(config)), '', byDefault(config)]
      process.stdout.write(`${lines.map(printable).join('\n')}\n`)
    },
    json === true ? (mistakes) => process.stdout.write(`${printableJson({ mistakes, run: null })}\n`) : undefined,
  )

/** Returns what a rollout file means, for programs, in the same words; `run`: what to do now, as a command. */
const checked = (rollout: Rollout, config: RolloutConfig, file: string) => ({
  mistakes: [],
  operations: shipped.map((operation) => ({
    operation: operation.id,
    answers: whoAnswers(operation, rollout.of(operation.id), hasLegacy(config)),
    compared: compared(operation, rollout.of(operation.id)),
    ignoreRules: rulesOf(rollout, operation).length,
    plan: planOf(operation, rollout) ?? null,
  })),
  brownouts: rollout.brownouts.map(brownoutInWords),
  otherwise: byDefault(config),
  run: `legacy-gateway cutover plan ${shellWord(file)} --dry-run`,
})

const rulesOf = ({ ignore }: Rollout, { id }: Operation) =>
  ignore.filter(({ operation }) => operation === id || operation === '*')

/** Whether a legacy service can answer operations, as `serve` decides it: the sandbox has one too. */
export const hasLegacy = ({ v1BaseUrl, legacyBaseUrl }: RolloutConfig): boolean =>
  legacyBaseUrl !== undefined || v1BaseUrl === undefined

/** Says who answers where the file says nothing, as `serve` decides it with this configuration, and why. */
export function byDefault({ legacyBaseUrl, serve }: RolloutConfig): string {
  const isSet = legacyBaseUrl !== undefined
  const isDefault = (serve === 'legacy') === isSet
  const why = isDefault ? `LEGACY_BASE_URL is ${isSet ? '' : 'not '}set here` : 'SERVE says so'
  return `Where the file does not say who answers, ${serve} does: ${why}.`
}

/**
 * Reads a rollout file as `serve` would with this configuration.
 * @throws UnreadableError, ConfigError about MAPPING_FILE, or RolloutError that lists every mistake.
 */
export function readRollout(path: string, config: RolloutConfig): Rollout {
  return rolloutParser(readMappings(config.mappingFile), surroundingsOf(config))(textOf(path))
}

/** Returns what a rollout file depends on, as `serve` decides it with this configuration. */
export const surroundingsOf = (config: RolloutConfig): Surroundings => ({
  ...{ hasLegacy: hasLegacy(config), hasCopy: config.copy !== undefined, isKept: keepsState(config) },
  ...{ canSign: config.webhookSecret !== undefined, serve: config.serve },
})

/** Returns what a rollout file means, as lines: a table of operations, then plans, then brownouts. */
function describeRollout(rollout: Rollout, operations: readonly Operation[], hasLegacy: boolean): readonly string[] {
  const columns: readonly TerminalColumn<Operation>[] = [
    { head: 'operation', cell: ({ id }) => id },
    { head: 'who answers', cell: (operation) => whoAnswers(operation, rollout.of(operation.id), hasLegacy) },
    { head: 'compared', cell: (operation) => compared(operation, rollout.of(operation.id)) },
    { head: 'ignore rules', kind: 'number', cell: (operation) => String(rulesOf(rollout, operation).length) },
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
  operation.v1 !== undefined && canBeReady(operation, copiedBy({ of })(operation.id)) && of(operation.id).shadow > 0

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

/** Says who answers an operation: `legacy, v1 for 25 % of clients; demo-client by v1`. */
export function whoAnswers({ v1 }: Operation, wanted: OperationRollout, hasLegacy: boolean): string {
  if (v1 === undefined) return hasLegacy ? 'legacy: v1 has no equivalent' : 'nobody: v1 has no equivalent'
  const { serve, v1Percent, plan, clients, mayChoose } = wanted
  const legacy = plan ? 'legacy, v1 by its plan' : v1Percent > 0 ? `legacy, v1 for ${v1Percent} % of clients` : 'legacy'
  return [serve === 'v1' ? 'v1' : legacy, ...byName(clients), ...choosers(mayChoose)].join('; ')
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

function choosers(mayChoose: OperationRollout['mayChoose']): readonly string[] {
  if (mayChoose === '*') return ['all clients may choose']
  if (mayChoose.length === 0) return []
  return [`${mayChoose.length > MOST_NAMES ? `${mayChoose.length} clients` : mayChoose.join(', ')} may choose`]
}

function compared(operation: Operation, { shadow, shadowWrites }: OperationRollout): string {
  if (operation.v1 === undefined) return 'never'
  const kind = neverCompared(operation, shadowWrites === 'copy')
  if (kind === 'a write' && shadowWrites !== undefined) return 'checked, not sent'
  if (kind !== undefined) return `never: ${kind}`
  if (shadow === 0) return 'no'
  return neverCompared(operation) === 'a write' ? `${chosenPercent(shadow)}, against a copy` : chosenPercent(shadow)
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
