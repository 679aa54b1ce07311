import { existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import { readMappings } from '../app/read-mappings.ts'
import { counted } from '../common/figures.ts'
import { reasonOf } from '../common/reason-of.ts'
import { type Style, type TerminalColumn, terminalTable } from '../common/tables.ts'
import {
  areAllCertain,
  certainInWords,
  certainOf,
  supportInWords,
  trialInWords,
  unsettledOf,
} from '../control-plane/evidence/proposals/proposal-words.ts'
import type { OperationProposals, ProposalsReport } from '../control-plane/evidence/proposals/proposals.ts'
import { withLines } from '../control-plane/evidence/proposals/proposed-file.ts'
import type { Proposal } from '../control-plane/evidence/proposals/proposed-lines.ts'
import type { Corrections } from '../mapping/corrections/corrections.ts'
import { lineInWords } from '../mapping/corrections/line-in-words.ts'
import { ReplayError } from '../recordings/replay/replay.ts'
import { AdminPortError, askAdmin, messageIn, parsed } from './admin-port.ts'
import { compareSides } from './compare-sides.ts'
import { OptionsError, orSayWhy, printable, styleFor, writeWhole } from './printing.ts'
import { openRecordings } from './replay-command.ts'
import type { ReplayOptions } from './replay-options.ts'

/** The options as given on the command line. */
interface ProposeOptions extends ReplayOptions {
  readonly admin?: string
  readonly token?: string
  readonly json?: true
  readonly out?: string
}

const ALL_CERTAIN = 0
const COULD_NOT_RUN = 2
const SOME_OPEN = 3

/**
 * `legacy-gateway propose [RECORDING…]`: replays recordings, or asks a running gateway, prints the lines that would correct the
 * mappings, and writes them to a MAPPING_FILE with `--out`. Exit codes: 0 each difference that counts has a certain line, 3 some have
 * none, 2 it could not run. Never rejects.
 */
export function propose(paths: readonly string[], options: ProposeOptions, command: Command): Promise<number> {
  const isAsked = options.admin !== undefined
  if (isAsked === paths.length > 0) {
    return orSayWhy(COULD_NOT_RUN, [], async () => {
      throw new OptionsError('give recordings, or the admin port of a running gateway with --admin; not both')
    })
  }
  return isAsked ? ofGateway(options) : ofRecordings(paths, options, command)
}

const ofGateway = (options: ProposeOptions): Promise<number> =>
  orSayWhy(COULD_NOT_RUN, [AdminPortError, ReplayError], async () => {
    const before = readOut(options.out)
    const { url, status, text } = await askAdmin('proposals', options)
    const found = parsed(text) as ProposalsReport | undefined
    if (status !== 200 || !Array.isArray(found?.operations)) {
      throw new AdminPortError(
        `${url.href} does not answer proposals (${status}): ${messageIn(text) ?? 'is it the admin port of this gateway?'}`,
      )
    }
    process.stdout.write(shown(found, options, styleFor(process.stdout)))
    await writeOut(options.out, before, found)
    return exitCodeOf(found)
  })

function ofRecordings(paths: readonly string[], options: ProposeOptions, command: Command): Promise<number> {
  const { rawArgs: words = [] } = (command.parent ?? command) as { readonly rawArgs?: readonly string[] }
  let before: Held | undefined
  return compareSides(options, async () => {
    before = readOut(options.out)
    const source = await openRecordings(paths, words)
    return {
      ...source,
      isSummaryAlone: options.json === true,
      writeSummary: ({ proposals }, advice, style) => shown(proposals, options, style, advice),
      async end({ proposals }) {
        await writeOut(options.out, before, proposals)
        return source.whyNothing !== undefined && proposals.operations.length === 0
          ? COULD_NOT_RUN
          : exitCodeOf(proposals)
      },
    }
  })
}

const exitCodeOf = (found: ProposalsReport): number => (areAllCertain(found) ? ALL_CERTAIN : SOME_OPEN)

function shown(found: ProposalsReport, { json }: ProposeOptions, style: Style, advice: readonly string[] = []): string {
  if (json === true) return `${JSON.stringify(found, null, 2)}\n`
  const { operations } = found
  const lines = operations.flatMap(({ proposals }) => proposals)
  const certain = operations.flatMap(certainOf)
  return [
    ...operations.flatMap((operation) => [...ofOperation(operation, style), '']),
    lines.length === 0
      ? 'Nothing is proposed.'
      : `${counted(lines.length, 'line')} ${lines.length === 1 ? 'is' : 'are'} proposed, ${certainInWords(lines.length, certain.length)}.`,
    ...advice,
    '',
  ].join('\n')
}

const COLOURS = { certain: 'green', ambiguous: 'yellow', weak: 'yellow' } as const
const COLUMNS: readonly TerminalColumn<Proposal>[] = [
  { head: 'legacy', cell: ({ legacy }) => printable(legacy) },
  { head: 'line', cell: ({ line }) => printable(lineInWords(line, 'response')) },
  { head: 'how sure', cell: ({ certainty }) => certainty, format: ({ certainty }) => COLOURS[certainty] },
  { head: 'evidence', cell: supportInWords },
]

function ofOperation(found: OperationProposals, style: Style): readonly string[] {
  const { operation, exchanges, proposals, unexplained, requests, limits, trial } = found
  const open = unsettledOf(found)
  return [
    `${operation}: ${counted(exchanges, 'exchange')}`,
    ...(proposals.length === 0 ? [] : terminalTable(COLUMNS, proposals, style)),
    ...proposals.flatMap(({ legacy, alternatives }) =>
      alternatives.map(
        ({ line, tells }) =>
          `  ${printable(legacy)}: or ${printable(lineInWords(line, 'response'))}; what would tell: ${printable(tells)}`,
      ),
    ),
    ...unexplained.map(({ kind, path, says }) => `  ${kind} ${printable(path)}: ${printable(says)}`),
    ...requests.map(({ legacy, says }) => `  request ${printable(legacy)}: ${printable(says)}`),
    ...limits.map((text) => `  ${printable(text)}`),
    ...(trial === null ? [] : [`  ${trialInWords(trial)}.`]),
    ...(open.length === 0 ? [] : [`  Without a certain line: ${open.map(printable).join(', ')}`]),
  ]
}

/** What `--out` holds already. */
interface Held extends Corrections {
  readonly $schema?: string
}

/**
 * Reads what `--out` holds already, so that a mistake in it is told before anything runs. Undefined: there is no such file.
 * @throws OptionsError that lists all mistakes.
 */
function readOut(path: string | undefined): Held | undefined {
  if (path === undefined || !existsSync(path)) return undefined
  try {
    readMappings(path, `--out: ${path}`)
    return JSON.parse(readFileSync(path, 'utf8')) as Held
  } catch (error) {
    if (error instanceof ConfigError) throw new OptionsError(error.problems.join('\n'))
    throw new OptionsError(`--out: ${path}: ${reasonOf(error)}`)
  }
}

/** Writes the certain lines, merged into what the file holds. @throws ReplayError */
async function writeOut(path: string | undefined, before: Held | undefined, found: ProposalsReport): Promise<void> {
  if (path === undefined) return
  const operations = { ...before?.operations }
  for (const { operation, file } of found.operations) {
    const { [operation]: inForce } = file.operations
    const held = operations[operation]
    const merged = withLines(held, inForce?.response ?? {})
    if (merged === undefined) continue
    const request = { ...inForce?.request, ...held?.request }
    operations[operation] = { ...inForce, ...merged, ...(Object.keys(request).length > 0 && { request }) }
  }
  await writeWhole(path, `${JSON.stringify({ ...before, operations }, null, 2)}\n`).catch((error: unknown) => {
    throw new ReplayError(`--out: ${path}: ${reasonOf(error)}`, { cause: error })
  })
  process.stderr.write(`${path}\n`)
}
