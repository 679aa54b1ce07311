import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { OpenedAside } from '../aside/open-aside.ts'
import { type Examples, keepExamples } from '../compare/examples.ts'
import { knownByRollout } from '../compare/mapping/known-by-rollout.ts'
import type { KnownLines } from '../compare/mapping/known-lines.ts'
import { chooseSide } from '../compare/rollout/choose-side.ts'
import { NO_ROLLOUT, parseRollout, type Rollout } from '../compare/rollout/rollout.ts'
import { type CurrentRollout, watchRollout } from '../compare/rollout/rollout-file.ts'
import { openShadow, type QueueState } from '../compare/shadow.ts'
import { fileStore } from '../compare/tally/file-store.ts'
import { type KeptTally, keptTally } from '../compare/tally/kept-tally.ts'
import { memoryStore } from '../compare/tally/memory-store.ts'
import type { OperationReport } from '../compare/tally/operation-report.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Exchange, Side, Watch } from '../exchange/exchange.ts'
import { redactor } from '../exchange/redact/redactor.ts'
import { operationFinder } from '../gateway/find-operation.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { legacySide, v1Side } from '../gateway/sides.ts'
import { redactedCurl } from '../guide/explain/redacted-curl.ts'
import { explain } from '../guide/lines/explain.ts'
import { StartError } from '../http/listen.ts'
import { openRecorder, type Recorder } from '../recording/record.ts'
import type { RecordableExchange } from '../recording/record-line.ts'
import type { Holder, MemoryBudget } from '../upstream/memory-budget.ts'
import type { Config } from './config.ts'

export type SideBySideSettings = Pick<Config, 'rolloutFile' | 'stateDb' | 'recordFile'>

/** The `STATE_DB` that is no file. */
const IN_MEMORY = ':memory:'

/** What `GET /experiments` answers. */
export interface Experiments {
  /** When the results begin; ISO 8601. */
  readonly since: string
  readonly operations: readonly (Omit<OperationReport, 'differences'> & {
    readonly differences: readonly Omit<OperationReport['differences'][number], 'lines'>[]
    readonly serve: Side
    readonly shadow: number
  })[]
  readonly queue: QueueState
  readonly rollout: Pick<CurrentRollout, 'loadedAt' | 'error'>
}

/** Who answers, what is compared, and what is recorded. */
export interface SideBySide {
  route(operation: string, client: string): Side
  readonly watch: Watch
  experiments(): Experiments
  readonly examples: Examples
  /** How many exchanges were to be recorded and are in no recording. */
  recordingsDropped(): number
  rollout(): CurrentRollout
  /** Whether results are stored. */
  readonly results: KeptTally['health']
  /** Compares, records and stores what is left, as far as there is time. */
  close(graceMs: number): Promise<void>
}

/** What comparing and recording share with the calls. */
export interface Means {
  /** What exchanges take while they are compared or recorded; they give way to calls. */
  readonly memory: MemoryBudget
  /** Where large ones are redacted; undefined: with all others. */
  readonly aside: Pick<OpenedAside, 'exchangeLine'> | undefined
}

/**
 * Puts side by side together.
 * @param gateway as it answers without it; its legacy service, where it has one, is the control.
 * @param key redacts what is recorded or shown.
 * @param legacyUrl where people can make a legacy call again, without a slash at its end.
 * @throws StartError that names the variables of all that cannot be used.
 */
export async function buildSideBySide(
  settings: SideBySideSettings,
  operations: readonly CompiledOperation[],
  gateway: Gateway,
  key: Uint8Array,
  legacyUrl: () => string,
  { memory, aside }: Means,
  log: Logger,
): Promise<SideBySide> {
  const ids = operations.map(({ mapping }) => mapping.id)
  const { legacy } = gateway
  const problems: string[] = []
  const orProblem = <T>(variable: string, error: unknown, otherwise: T): T => {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n')) {
      problems.push(`${variable}: ${line}`)
    }
    return otherwise
  }
  const redact = redactor(key)
  const lineAside = aside && ((exchange: RecordableExchange) => aside.exchangeLine(plain(exchange)))
  const lines: Holder = { held: 0 }
  const memoryOfLines = {
    hold: (bytes: number) => memory.holdBeside(lines, bytes, 'recording'),
    letGo: (bytes: number) => memory.letGo(lines, bytes),
  }
  const recorder = await open(settings.recordFile, (file) =>
    openRecorder({ file, redact, lineAside, log, memory: memoryOfLines }),
  ).catch((error) => orProblem('RECORD_FILE', error, undefined))
  const file = attempt(
    () =>
      watchRollout({
        path: settings.rolloutFile,
        parse: (text) => parseRollout(text, ids, legacy !== undefined),
        onChange: (current) => tellRollout(log, current),
      }),
    (error) => orProblem('ROLLOUT_FILE', error, undefined),
  )
  const rollout = (): Rollout => file?.current().rollout ?? NO_ROLLOUT
  const known = knownByRollout(
    operations.map(({ mapping }) => ({ mapping, lines: explain(mapping) })),
    () => rollout().ignore,
  )
  const tally = await keptTally({
    store: settings.stateDb === IN_MEMORY ? memoryStore() : fileStore(settings.stateDb, randomUUID()),
    criteria: () => ({ known: known(), targetOf: (id) => rollout().of(id).target }),
    log,
  }).catch((error) => orProblem('STATE_DB', error, undefined))
  if (problems.length > 0 || file === undefined || tally === undefined) {
    file?.close()
    await tally?.close(0)
    await recorder?.close()
    throw new StartError(problems.join('\n'))
  }
  const examples = keepExamples(redact.body)
  /** Answers that are still being decoded, to be recorded. */
  const decoding = new Set<Promise<void>>()
  const hasV1 = (id: string): boolean => gateway.byId(id)?.mapping.v1 !== undefined
  const ofOperation = (id: string): CompiledOperation => gateway.byId(id) as CompiledOperation
  const shadow =
    legacy &&
    openShadow({
      rollout,
      askLegacy: legacySide(legacy),
      askV1: v1Side(gateway, operationFinder(operations, '')),
      whyNot: (id) => whyNotCompared(ofOperation(id)),
      known: (id) => known().get(id) as KnownLines,
      translate: ({ query, body }, id) =>
        ofOperation(id).translateRequest({ query, body }).call === undefined ? 400 : null,
      observe(seen, exchange) {
        tally.record(seen)
        examples.keep(seen, known().get(seen.operation) as KnownLines, exchange.at, () =>
          redactedCurl(exchange, redact, legacyUrl()),
        )
      },
      hold(bytes) {
        const holder: Holder = { held: 0 }
        return memory.holdBeside(holder, bytes, 'comparison') ? () => memory.letGo(holder) : undefined
      },
      random: Math.random,
    })
  return {
    route: (id, client) => chooseSide(rollout().of(id), client),
    watch: {
      wants: (id) => recorder !== undefined || shadow?.wants(id) === true,
      take(exchange) {
        shadow?.take(exchange)
        if (recorder !== undefined) {
          const recorded = record(recorder, exchange, ofOperation(exchange.operation).mapping.login === undefined)
          decoding.add(recorded)
          void recorded.finally(() => decoding.delete(recorded))
        }
      },
      miss: (operation) => shadow?.miss(operation),
    },
    experiments: () => ({
      since: tally.since(),
      operations: tally.snapshot().map((report) => ({
        ...report,
        differences: report.differences.map(({ lines: _, ...difference }) => difference),
        serve: hasV1(report.operation) ? rollout().of(report.operation).serve : 'legacy',
        shadow: rollout().of(report.operation).shadow,
      })),
      queue: shadow?.queue() ?? { length: 0, limit: rollout().limits.queue, running: 0, dropped: 0 },
      rollout: { loadedAt: file.current().loadedAt, error: file.current().error },
    }),
    examples,
    recordingsDropped: () => recorder?.counts().dropped ?? 0,
    rollout: file.current,
    results: tally.health,
    async close(graceMs) {
      const endsAt = performance.now() + graceMs
      file.close()
      await shadow?.close(graceMs)
      await Promise.all(decoding)
      await recorder?.close()
      await tally.close(Math.max(endsAt - performance.now(), 0))
    },
  }
}

/** What another thread can be told. */
function plain({ at, operation, request, answer, recordsBodies }: RecordableExchange): RecordableExchange {
  const { status, body, milliseconds } = answer
  return { at, operation, request, answer: { status, body, milliseconds }, recordsBodies }
}

async function open<T>(path: string | undefined, opens: (path: string) => Promise<T>): Promise<T | undefined> {
  return path === undefined ? undefined : opens(path)
}

function attempt<T>(make: () => T, otherwise: (error: unknown) => T | undefined): T | undefined {
  try {
    return make()
  } catch (error) {
    return otherwise(error)
  }
}

function tellRollout(log: Logger, { loadedAt, error }: CurrentRollout): void {
  if (error === null) log.info({ loadedAt }, 'the rollout file is in effect')
  else log.error({ reason: error }, 'ROLLOUT_FILE is refused; the previous version stays in effect')
}

/** docs/decisions/0040: only reads and calculations are asked of a second side. Each login has its own token. */
function whyNotCompared({ mapping }: CompiledOperation): string | null {
  if (mapping.v1 === undefined) return 'v1 has no equivalent'
  if (mapping.login !== undefined) return 'a login'
  return mapping.effect === 'write' ? 'write' : null
}

/** An answer that cannot be decoded is not recorded. */
async function record(recorder: Recorder, exchange: Exchange, recordsBodies: boolean): Promise<void> {
  const answer = await exchange.answer().catch(() => undefined)
  if (answer !== undefined) await recorder.record({ ...exchange, answer, recordsBodies })
}
