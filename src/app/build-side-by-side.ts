import type { Logger } from 'pino'
import { serial } from '../common/promises.ts'
import type { Experiments } from '../control-plane/admin/dashboard/sources.ts'
import type { BrownoutEnds } from '../control-plane/cutover/brownout/current-brownouts.ts'
import type { Cutover } from '../control-plane/cutover/cutover.ts'
import type { Webhooks } from '../control-plane/cutover/webhook/deliver-webhooks.ts'
import { readsAnew } from '../control-plane/evidence/ask-and-compare.ts'
import { comparableOf, whyNeverCompared } from '../control-plane/evidence/comparable.ts'
import type { Compared } from '../control-plane/evidence/compare-exchange.ts'
import { type ComparisonCounts, countComparisons } from '../control-plane/evidence/comparison-counts.ts'
import { type Examples, keepExamples } from '../control-plane/evidence/examples.ts'
import { ruleUses } from '../control-plane/evidence/expected/rule-use.ts'
import { type LiveProposals, liveProposals } from '../control-plane/evidence/proposals/live-proposals.ts'
import type { CallAccount } from '../control-plane/evidence/tally/call-account.ts'
import type { KeptTally } from '../control-plane/evidence/tally/kept-tally.ts'
import type { ResetOrder } from '../control-plane/evidence/tally/tally-keeper.ts'
import { judgeOverall } from '../control-plane/evidence/tally/verdict.ts'
import { copiedBy } from '../control-plane/rollout/operation-rollout.ts'
import type { CurrentRollout } from '../control-plane/rollout/rollout-file.ts'
import type { Fleet } from '../control-plane/store/replicas.ts'
import type { Gateway } from '../data-plane/gateway/gateway.ts'
import type { TokenOwner } from '../data-plane/gateway/login/known-tokens.ts'
import { readCaptured } from '../data-plane/gateway/read-captured.ts'
import type { MemoryBeside } from '../data-plane/upstream/memory-budget.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import type { Exchange, Missed } from '../exchange/exchange.ts'
import { redactor } from '../exchange/redactor.ts'
import { redactedCall } from '../guide/explain/redacted-curl.ts'
import type { Operation } from '../mapping/operation.ts'
import { addressOf } from '../observe/readiness.ts'
import type { HandedOver } from '../planes/messages.ts'
import type { BuiltCopy } from './build-copy.ts'
import type { CutoverMemory } from './build-cutover.ts'
import { buildComparing, buildShadow, malformedLogger } from './build-shadow.ts'
import type { Translation } from './build-translation.ts'
import { buildUsage, type Usage } from './build-usage.ts'
import { type Corrector, openEvidence, type SideBySideSettings } from './open-evidence.ts'
import type { CurrentCorrections } from './open-mapping-file.ts'

/** Adds calls that were not selected since the last one that was. */
const withNotDrawn = (account: CallAccount, calls: number): CallAccount => ({
  ...account,
  calls: account.calls + calls,
  notDrawn: account.notDrawn + calls,
})

/**
 * Returns how long both sides took for a call; undefined: v1 was not asked for this call alone, or legacy first, or its client chose v1. So v1's time is that of its
 * client, and what this plane measures, which may be busy, is legacy's. A whole list is v1's in many pages, and its clients get it from the cache.
 */
function pairOf(
  { operation, durations, list }: Compared,
  exchange: Exchange,
): Parameters<Cutover['countPair']>[0] | undefined {
  const isCounted = list === undefined && exchange.isChosen !== true && readsAnew(exchange)
  if (durations === undefined || !isCounted) return undefined
  const agoMs = Math.max(Date.now() - exchange.at.getTime(), 0)
  return { operation, v1: durations.candidate, legacy: durations.control, agoMs }
}

/** How old the results of other replicas may be when someone looks at them. */
const FRESH_MS = 1_000

/** How long the store of the cut-over gets at the end, even when the grace period is over. */
const LEAST_MS = 250

/** Compares, records and looks at answered calls, and runs what decides which side answers. */
export interface SideBySide {
  /** Takes what the data plane has handed over. All work happens later. */
  take(handedOver: HandedOver): void
  /** Counts a call that was to be compared, and is no exchange. */
  miss(operation: string, why: Missed): void
  /** Counts calls that were not drawn for comparison. */
  passOver(operation: string, calls: number): void
  readonly isRecording: boolean
  /**
   * Judges all results again. While the database answers within `withinMs` (300 ms), those of other replicas are at most
   * `maxAgeMs` old (1 s).
   */
  experiments(ages?: { readonly maxAgeMs?: number; readonly withinMs?: number }): Promise<Experiments>
  /** Resets an operation's evidence. `isStored`: the reset survives a restart. */
  reset(order: ResetOrder): Promise<{ readonly at: string; readonly isStored: boolean }>
  readonly examples: Examples
  /** What would correct the mappings, as this process has found since it started. */
  readonly proposals: LiveProposals['report']
  /** What this process has compared since it started. */
  readonly comparisons: ComparisonCounts['counts']
  /** Returns how many exchanges should have been recorded but are in no recording. */
  recordingsDropped(): number
  rollout(): CurrentRollout
  /** What MAPPING_FILE says now. */
  mapping(): CurrentCorrections
  /** Whether results are stored. */
  readonly results: KeptTally['health']
  /** How the calls of each day compared. */
  readonly comparedDays: KeptTally['days']
  /** Who shares the results, and whether they can be shared now. */
  readonly fleet: Fleet
  /** Runs the plans of the rollout file. */
  readonly cutover: Cutover
  /** Who calls what. */
  readonly usage: Usage
  /** Where replicas learn that someone ended all brownouts. */
  readonly brownoutEnds: BrownoutEnds
  /** Sends its decisions to `WEBHOOK_URL`; undefined: that is not set. */
  readonly webhooks: Webhooks | undefined
  /** Compares, records and stores what remains, as far as time allows. */
  close(graceMs: number): Promise<void>
}

interface Parts {
  readonly operations: Translation['operations']
  readonly corrector: Corrector
  /** Answers calls for comparisons. Its legacy service, if it has one, is the control. */
  readonly gateway: Gateway
  /** Redacts what is recorded or shown. */
  readonly key: Uint8Array
  /** Whether the mappings are the project's own, which other threads know. */
  readonly hasThreads: boolean
  /** Returns where people can repeat a legacy call, without a trailing slash. */
  readonly legacyUrl: () => string
  readonly memory: MemoryBeside
  /** A copy of v1 for writes; undefined: there is none. */
  readonly copy: BuiltCopy | undefined
  readonly cutoverMemory: CutoverMemory
  /** Tells the data plane which client a token belongs to. */
  readonly learn: (owner: TokenOwner) => void
  readonly log: Logger
}

/**
 * Builds the rollout, comparison, recording and usage.
 * @throws StartError that names the variables of all files that cannot be used.
 */
export async function buildSideBySide(settings: SideBySideSettings, parts: Parts): Promise<SideBySide> {
  const { operations, corrector, gateway, key, hasThreads, legacyUrl, memory, copy, cutoverMemory, learn, log } = parts
  const { legacy } = gateway
  const redact = redactor(key)
  const examples = keepExamples()
  const evidence = await openEvidence(settings, operations.now, legacy !== undefined, redact, {
    ...{ corrector, memory, cutoverMemory, log },
    onCorrected(ids) {
      ids.forEach(examples.forget)
      ids.forEach(proposals.forget)
    },
    largeLine: (exchange) => comparing.recordLine(exchange),
  })
  const { mappingFile, rollout, rolloutFile, expectations, tally, cutover, webhooks, isKept, fleet, recording } =
    evidence
  const comparisons = countComparisons()
  const usesOf = ruleUses(Date.now)
  const proposals = liveProposals({
    existing: (id) => gateway.byId(id)?.mapping.corrections,
    mappingOf: (id) => expectations(id).mapping,
    now: Date.now,
  })
  const comparing = buildComparing(
    evidence,
    (id) => gateway.byId(id) as CompiledOperation,
    proposals.toTry,
    ...([key, hasThreads, log] as const),
  )
  const logMalformed = malformedLogger(log)
  const mappings = operations.now().map(({ mapping }) => mapping)
  const comparable = () => comparableOf(mappings, copiedBy(rollout()))
  const shadow =
    legacy &&
    buildShadow(gateway, legacy, {
      ...{ find: operations.findAtLegacy, rollout, expectations, comparing, memory, copy },
      learningOf: proposals.learningOf,
      observe(compared, exchange) {
        const pair = exchange && pairOf(compared, exchange)
        if (pair !== undefined) cutover.countPair(pair)
        tally.record(compared)
        comparisons.record(compared)
        proposals.note(compared)
        logMalformed(compared)
        if (exchange === undefined) return
        examples.keep(compared.operation, compared.shown, exchange.at, () =>
          redactedCall(exchange, redact, legacyUrl(), addressOf(legacy.baseUrl)),
        )
      },
    })
  const usage = buildUsage({
    operations: mappings.map(({ id }) => id),
    mapping: (id) => gateway.byId(id)?.mapping,
    ...{ store: evidence.usage, logins: evidence.logins, intervalMs: evidence.intervalMs, learn },
    ...{ redact, note: cutover.note, everyMs: settings.tickMs, log },
  })
  const mappingOf = (id: string): Operation => (gateway.byId(id) as CompiledOperation).mapping
  const comparedBy = (mapping: Operation) => {
    const isCopied = copiedBy(rollout())(mapping.id)
    const neverCompared = whyNeverCompared(mapping, { hasLegacy: legacy !== undefined, isCopied }) ?? null
    return { shadow: neverCompared === null ? rollout().of(mapping.id).shadow : 0, neverCompared }
  }
  const inTurn = serial()
  /** How many exchanges wait for their bodies, or for such a one. */
  let unpacking = 0
  const use = (exchange: Exchange, { isCompared, isRecorded, isLookedAt }: HandedOver): void => {
    if (isCompared) shadow?.take(exchange)
    if (isRecorded) recording?.take(exchange, mappingOf(exchange.operation).login === undefined)
    if (isLookedAt) usage.look(exchange)
  }
  return {
    take(handedOver) {
      const { exchange: captured, isCompared } = handedOver
      const read = () => readCaptured(captured, { maxBodyBytes: gateway.maxBodyBytes, memory: undefined })
      // Writes keep their order, so none overtakes one whose body is being unpacked.
      if (captured.request.asSent === undefined && unpacking === 0) return use(read() as Exchange, handedOver)
      unpacking++
      // Bodies are unpacked one after the other, because each may take as much memory as a body may.
      void inTurn(read)
        .then(
          (exchange) => use(exchange, handedOver),
          () => isCompared && shadow?.miss(captured.operation, 'memory short'),
        )
        .finally(() => {
          unpacking--
        })
    },
    miss: (operation, why) => shadow?.miss(operation, why),
    passOver: (operation, calls) => shadow?.passOver(operation, calls),
    isRecording: recording !== undefined,
    async experiments({ maxAgeMs = FRESH_MS, withinMs } = {}) {
      const isWhole = await tally.refresh(maxAgeMs, withinMs)
      const operations = tally.snapshot().map((report) => ({
        ...report,
        differences: report.differences.map(({ lines: _, ...difference }) => difference),
        ...comparedBy(mappingOf(report.operation)),
        serve:
          mappingOf(report.operation).v1 === undefined ? ('legacy' as const) : rollout().of(report.operation).serve,
        account: withNotDrawn(report.account, shadow?.notDrawn(report.operation) ?? 0),
        kept: isKept,
      }))
      const { ignore } = rollout()
      return {
        since: tally.since(),
        asOf: isWhole ? null : tally.asOf(),
        operations,
        overall: { ...judgeOverall(operations, comparable(), rollout().confidence), kept: isKept },
        examples: examples.counts(),
        queue: shadow?.queue() ?? { length: 0, limit: rollout().limits.queue, running: 0, dropped: 0 },
        rules: usesOf(ignore, rolloutFile.current().loadedAt, operations),
        rollout: { loadedAt: rolloutFile.current().loadedAt, error: rolloutFile.current().error },
        mapping: { loadedAt: mappingFile.current().loadedAt, error: mappingFile.current().error },
      }
    },
    async reset(order) {
      const { at, isStored } = await tally.reset(order)
      proposals.forget(order.operation)
      return { at, isStored: isStored && isKept }
    },
    examples,
    comparisons: comparisons.counts,
    proposals: proposals.report,
    recordingsDropped: () => recording?.dropped() ?? 0,
    rollout: rolloutFile.current,
    mapping: mappingFile.current,
    results: tally.health,
    comparedDays: tally.days,
    fleet,
    cutover,
    usage,
    brownoutEnds: {
      endedAt: cutover.brownoutsEndedAt,
      async end(entry) {
        await cutover.endBrownouts(entry)
        return isKept
      },
    },
    webhooks,
    async close(graceMs) {
      const endsAt = performance.now() + graceMs
      rolloutFile.close()
      mappingFile.close()
      // Half the time, so that a receiver that hangs leaves the rest for storing.
      const told = webhooks?.close(graceMs / 2)
      await shadow?.close(graceMs)
      await recording?.close(Math.max(endsAt - performance.now(), 0))
      await comparing.close()
      await told
      await usage.close(Math.max(endsAt - performance.now(), 0))
      await cutover.close(Math.max(endsAt - performance.now(), LEAST_MS))
      await tally.close(Math.max(endsAt - performance.now(), 0))
    },
  }
}
