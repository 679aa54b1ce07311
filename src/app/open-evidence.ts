import type { Logger } from 'pino'
import type { Cutover } from '../control-plane/cutover/cutover.ts'
import type { Webhooks } from '../control-plane/cutover/webhook/deliver-webhooks.ts'
import { untold } from '../control-plane/cutover/webhook/deliver-webhooks.ts'
import type { Expectations } from '../control-plane/evidence/expected/expectations.ts'
import { expectationsByOperation } from '../control-plane/evidence/expected/expectations.ts'
import { type KeptTally, keptTally } from '../control-plane/evidence/tally/kept-tally.ts'
import { demandsOf } from '../control-plane/rollout/operation-rollout.ts'
import type { Rollout } from '../control-plane/rollout/rollout.ts'
import { type CurrentRollout, type RolloutFile, watchRollout } from '../control-plane/rollout/rollout-file.ts'
import type { Fleet } from '../control-plane/store/replicas.ts'
import type { LoginStore } from '../control-plane/usage/logins/login-store.ts'
import type { UsageStore } from '../control-plane/usage/usage-store.ts'
import { StartError } from '../data-plane/http/listen.ts'
import type { MemoryBeside } from '../data-plane/upstream/memory-budget.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Redactor } from '../exchange/redactor.ts'
import { explain } from '../guide/lines/explain.ts'
import { oncePer } from '../mapping/once-per.ts'
import type { Operation } from '../mapping/operation.ts'
import type { RecorderOptions } from '../recordings/record.ts'
import {
  buildCutover,
  buildWebhooks,
  type CutoverMemory,
  mappingChange,
  rolloutChange,
  type WebhookSending,
} from './build-cutover.ts'
import type { Config } from './config.ts'
import { someReplicaId } from './config-sources.ts'
import {
  type CurrentCorrections,
  type MappingFile,
  type MappingFileOptions,
  openMappingFile,
} from './open-mapping-file.ts'
import { openRecording, type Recording } from './open-recording.ts'
import { keepsState, openStore, statusOf } from './open-store.ts'
import { rolloutParser } from './rollout-parser.ts'

export type SideBySideSettings = Pick<Config, 'serve' | 'rolloutFile' | 'mappingFile' | 'stateDb' | 'recordFile'> &
  Partial<Pick<Config, 'postgres' | 'replicaId' | 'stateCache' | 'copy'>> &
  WebhookSending & {
    /** Whether the services are the sandbox that this process has started. What it shows says nothing about any other service. */
    readonly isSandbox?: boolean | undefined
    /**
     * How often results and usage are stored, decisions are read and taken, and messages are sent; ms, 1,000 if undefined. The rollout
     * and the mapping file are looked at twice as often, and operations with a plan are judged a third as often.
     */
    readonly tickMs?: number | undefined
  }

/** The open files of comparing side by side, and what works on them. */
export interface Evidence {
  readonly mappingFile: MappingFile
  readonly rolloutFile: RolloutFile
  /** What the rollout file says now. */
  rollout(): Rollout
  /** Returns what to expect of an operation's answers. */
  expectations(operation: string): Expectations
  readonly tally: KeptTally
  /** Stores who calls what. */
  readonly usage: UsageStore
  /** Stores which client each token belongs to. */
  readonly logins: LoginStore
  /** How long usage may wait before it is stored; ms. */
  readonly intervalMs: () => number
  /** Runs the plans of the rollout file. */
  readonly cutover: Cutover
  /** Sends its decisions to `WEBHOOK_URL`; undefined: that is not set. */
  readonly webhooks: Webhooks | undefined
  /** Whether results survive a restart. */
  readonly isKept: boolean
  /** Who shares the results. */
  readonly fleet: Fleet
  /** Undefined: nothing is recorded. */
  readonly recording: Recording | undefined
}

/** What takes corrections over, first in the data plane, then in this one. */
export type Corrector = Pick<MappingFileOptions, 'prepare' | 'tell'>

interface EvidenceParts {
  readonly corrector: Corrector
  /** Called with the operations that a new version of the mapping file has replaced. */
  readonly onCorrected: (ids: readonly string[]) => void
  readonly memory: MemoryBeside
  readonly cutoverMemory: CutoverMemory
  /** Makes the lines of large recorded exchanges in another thread; undefined: this one makes them. */
  readonly largeLine: RecorderOptions['largeLine']
  readonly log: Logger
}

/**
 * Opens the mapping file, the rollout file, the results and the recording.
 * @param operations returns those in use: another array when the mapping file has replaced some.
 * @throws StartError that names the variables of all files that cannot be used. Then all files are closed.
 */
export async function openEvidence(
  settings: SideBySideSettings,
  operations: () => readonly CompiledOperation[],
  hasLegacy: boolean,
  redact: Redactor,
  { corrector, onCorrected, memory, cutoverMemory, largeLine, log }: EvidenceParts,
): Promise<Evidence> {
  const problems: string[] = []
  let cutover: Cutover | undefined
  const orProblem = (variable: string) => (error: unknown) => {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n')) {
      problems.push(`${variable}: ${line}`)
    }
    return undefined
  }
  const { replicaId = someReplicaId(), tickMs } = settings
  const everyMs = tickMs && tickMs / 2
  const mappingFile = await openMappingFile({
    ...{ path: settings.mappingFile, everyMs, ...corrector },
    onChange(current, previous, replaced) {
      logMapping(log, current, replaced)
      onCorrected(replaced)
      const change = mappingChange(current, previous)
      if (change !== undefined) cutover?.noteChange(change)
      // It may name lines of these mappings.
      if (replaced.length > 0) rolloutFile?.checkAgain()
    },
  }).catch(orProblem('MAPPING_FILE'))
  const mapped = oncePer((compiled: readonly CompiledOperation[]) => compiled.map(({ mapping }) => mapping))
  const mappings = (): readonly Operation[] => mapped(operations())
  const recording =
    settings.recordFile === undefined
      ? undefined
      : await openRecording(settings.recordFile, replicaId, redact, memory, largeLine, log).catch(
          orProblem('RECORD_FILE'),
        )
  const there = {
    ...{ hasLegacy, hasCopy: settings.copy !== undefined, isKept: keepsState(settings), serve: settings.serve },
    canSign: settings.webhookSecret !== undefined,
  }
  const parse = (text: string): Rollout => rolloutParser(mappings(), there)(text)
  const rolloutFile = await attempt(() =>
    watchRollout({
      path: settings.rolloutFile,
      everyMs,
      parse,
      onChange(current, previous) {
        logRollout(log, current)
        const change = rolloutChange(current, previous)
        if (change !== undefined) cutover?.noteChange(change)
      },
    }),
  ).catch(orProblem('ROLLOUT_FILE'))
  const rollout = (): Rollout => (rolloutFile?.current() ?? { rollout: parse('{}') }).rollout
  const explained = oncePer((all: readonly Operation[]) =>
    all.map((mapping) => ({
      // Another hash of the mapping is another lineage: results on made-up data never count for the services that are named later.
      mapping: settings.isSandbox === true ? { ...mapping, isMadeUp: true } : mapping,
      lines: explain(mapping),
    })),
  )
  const expectations = expectationsByOperation(
    () => explained(mappings()),
    () => rollout().rules,
  )
  const status = statusOf(
    mappings,
    () => rolloutFile?.current(),
    () => cutover?.percents() ?? null,
  )
  const opened = await openStore({ ...settings, replicaId }, status, log)
  const { store, isKept, fleetOf, usage, logins, intervalMs } = opened
  const tally = await keptTally({
    store,
    criteria: () => ({
      expectations: expectations(),
      demandsOf: (id) => demandsOf(rollout(), id, Date.now),
    }),
    everyMs: tickMs,
    log,
  }).catch(orProblem('STATE_DB'))
  if (problems.length > 0 || mappingFile === undefined || rolloutFile === undefined || tally === undefined) {
    mappingFile?.close()
    rolloutFile?.close()
    await tally?.close(0)
    await recording?.close(0)
    throw new StartError(problems.join('\n'))
  }
  const expectationsFor = (id: string): Expectations => expectations().get(id) as Expectations
  const fleet = fleetOf(tally.health)
  cutover = await buildCutover({
    store: settings.webhook === undefined ? untold(opened.cutover) : opened.cutover,
    ...{ tally, rollout, stateCache: settings.stateCache, memory: cutoverMemory, everyMs: tickMs, log },
    asking: settings,
    operations: mappings().map(({ id }) => id),
  })
  const webhooks = buildWebhooks(settings, opened.cutover, log)
  return {
    mappingFile,
    rolloutFile,
    rollout,
    expectations: expectationsFor,
    tally,
    usage,
    logins,
    intervalMs,
    cutover,
    webhooks,
    isKept,
    fleet,
    recording,
  }
}

/** Turns what a function throws into a rejection. */
const attempt = async <T>(make: () => T): Promise<T> => make()

function logMapping(log: Logger, { loadedAt, error }: CurrentCorrections, replaced: readonly string[]): void {
  if (error === null) log.info({ loadedAt, operations: replaced }, 'the mapping file is in effect')
  else log.error({ reason: error }, 'MAPPING_FILE is refused; the previous version stays in effect')
}

function logRollout(log: Logger, { loadedAt, error }: CurrentRollout): void {
  if (error === null) log.info({ loadedAt }, 'the rollout file is in effect')
  else log.error({ reason: error }, 'ROLLOUT_FILE is refused; the previous version stays in effect')
}
