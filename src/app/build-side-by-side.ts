import type { Logger } from 'pino'
import type { Experiments } from '../admin/dashboard/sources.ts'
import { type ComparisonCounts, countComparisons } from '../compare/comparison-counts.ts'
import { type Examples, keepExamples } from '../compare/examples.ts'
import { chooseSide, comparableOf, whyNeverCompared } from '../compare/rollout/operation-rollout.ts'
import type { CurrentRollout } from '../compare/rollout/rollout-file.ts'
import { ruleUses } from '../compare/rollout/rule-use.ts'
import type { CallAccount } from '../compare/tally/call-account.ts'
import type { KeptTally } from '../compare/tally/kept-tally.ts'
import type { ResetOrder } from '../compare/tally/tally-keeper.ts'
import { judgeOverall } from '../compare/tally/verdict.ts'
import type { BrownoutEnds } from '../cutover/brownout/current-brownouts.ts'
import type { Cutover } from '../cutover/cutover.ts'
import type { Webhooks } from '../cutover/webhook/deliver-webhooks.ts'
import type { CompiledOperation } from '../engine/compile/compile-operations.ts'
import { type CaptureLimits, isPartial, type Side, type Watch } from '../exchange/exchange.ts'
import { redactor } from '../exchange/redactor.ts'
import { MAX_CAPTURED } from '../gateway/body-capture.ts'
import type { Gateway, ServedOperation } from '../gateway/gateway.ts'
import { redactedCall } from '../guide/explain/redacted-curl.ts'
import type { Operation } from '../mapping/operation.ts'
import { inSlices, nextTurn } from '../observe/in-slices.ts'
import { addressOf } from '../observe/readiness.ts'
import type { Fleet } from '../state/replicas.ts'
import { MOST_LOOKED_AT } from '../usage/watch-usage.ts'
import { buildComparing, buildShadow, malformedLogger } from './build-shadow.ts'
import { buildUsage, type Usage } from './build-usage.ts'
import { openEvidence, type SideBySideSettings } from './open-evidence.ts'
import type { SharedResources } from './open-recording.ts'

/** Adds calls that were not selected since the last one that was. */
const withNotDrawn = (account: CallAccount, calls: number): CallAccount => ({
  ...account,
  calls: account.calls + calls,
  notDrawn: account.notDrawn + calls,
})

/** How old the results of other replicas may be when someone looks at them. */
const FRESH_MS = 1_000

/** How long the store of the cut-over gets at the end, even when the grace period is over. */
const LEAST_MS = 250

/** How to keep calls that are compared or recorded. */
const WHOLE: CaptureLimits = { mostBytes: MAX_CAPTURED, isMissed: true }
/** How to keep calls that only usage wants to see. Larger ones are sent without being kept. */
const TO_LOOK_AT: CaptureLimits = { mostBytes: MOST_LOOKED_AT, isMissed: false }

/** Decides which side answers, what is compared and what is recorded. */
export interface SideBySide {
  route(operation: string, clientOf: () => string): Side
  readonly watch: Watch
  /**
   * Judges all results again, in slices. While the database answers within `withinMs` (300 ms), those of other replicas are at most
   * `maxAgeMs` old (1 s).
   */
  experiments(ages?: { readonly maxAgeMs?: number; readonly withinMs?: number }): Promise<Experiments>
  /** Resets an operation's evidence. `isStored`: the reset survives a restart. */
  reset(order: ResetOrder): Promise<{ readonly at: string; readonly isStored: boolean }>
  readonly examples: Examples
  /** What this process has compared since it started. */
  readonly comparisons: ComparisonCounts['counts']
  /** Returns how many exchanges should have been recorded but are in no recording. */
  recordingsDropped(): number
  rollout(): CurrentRollout
  /** Whether results are stored. */
  readonly results: KeptTally['health']
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

/**
 * Builds the rollout, comparison and recording.
 * @param gateway answers calls without these three. Its legacy service, if it has one, is the control.
 * @param key redacts what is recorded or shown.
 * @param legacyUrl where people can repeat a legacy call, without a trailing slash.
 * @throws StartError that names the variables of all files that cannot be used.
 */
export async function buildSideBySide(
  settings: SideBySideSettings,
  operations: readonly ServedOperation[],
  gateway: Gateway,
  key: Uint8Array,
  legacyUrl: () => string,
  shared: SharedResources,
  log: Logger,
): Promise<SideBySide> {
  const { legacy } = gateway
  const redact = redactor(key)
  const evidence = await openEvidence(settings, operations, legacy !== undefined, redact, shared, log)
  const { rollout, rolloutFile, expectations, tally, cutover, webhooks, isKept, fleet, recording } = evidence
  const examples = keepExamples()
  const comparisons = countComparisons()
  const usesOf = ruleUses(Date.now)
  const comparing = buildComparing(
    evidence,
    (id) => gateway.byId(id) as CompiledOperation,
    key,
    shared.aside !== undefined,
    log,
  )
  const logMalformed = malformedLogger(log)
  const comparable = comparableOf(operations.map(({ mapping }) => mapping))
  const shadow =
    legacy &&
    buildShadow(gateway, legacy, {
      ...{ operations, rollout, expectations, comparing, memory: shared.memory },
      observe(compared, exchange) {
        tally.record(compared)
        comparisons.record(compared)
        logMalformed(compared)
        if (exchange === undefined) return
        examples.keep(compared.operation, compared.shown, exchange.at, () =>
          redactedCall(exchange, redact, legacyUrl(), addressOf(legacy.baseUrl)),
        )
      },
    })
  const usage = buildUsage({
    mappings: operations.map(({ mapping }) => mapping),
    ...{ store: evidence.usage, logins: evidence.logins, intervalMs: evidence.intervalMs, tokens: gateway.knownTokens },
    ...{ redact, note: cutover.note, everyMs: settings.tickMs, log },
  })
  const mappingOf = (id: string): Operation => (gateway.byId(id) as CompiledOperation).mapping
  const comparedBy = (mapping: Operation) => {
    const neverCompared = whyNeverCompared(mapping) ?? null
    return { shadow: neverCompared === null ? rollout().of(mapping.id).shadow : 0, neverCompared }
  }
  return {
    route: (id, clientOf) => chooseSide(rollout().of(id), clientOf, cutover.percentOf(id)),
    watch: {
      wants(id, caller) {
        if (recording !== undefined || shadow?.wants(id) === true) return WHOLE
        return usage.watch.wants(id, caller) ? TO_LOOK_AT : undefined
      },
      take(exchange) {
        shadow?.take(exchange)
        // Of the whole answer, which a replay would get and the client has already, it says nothing.
        if (isPartial(exchange.status)) return
        recording?.take(exchange, mappingOf(exchange.operation).login === undefined)
        usage.watch.take(exchange)
      },
      miss: (operation, why) => shadow?.miss(operation, why),
    },
    async experiments({ maxAgeMs = FRESH_MS, withinMs } = {}) {
      const isWhole = await tally.refresh(maxAgeMs, withinMs)
      const operations = await inSlices(tally.reports(), (report) => ({
        ...report,
        differences: report.differences.map(({ lines: _, ...difference }) => difference),
        ...comparedBy(mappingOf(report.operation)),
        serve:
          mappingOf(report.operation).v1 === undefined ? ('legacy' as const) : rollout().of(report.operation).serve,
        account: withNotDrawn(report.account, shadow?.notDrawn(report.operation) ?? 0),
        kept: isKept,
      }))
      const { ignore } = rollout()
      const uses = usesOf(ignore, rolloutFile.current().loadedAt)
      await inSlices(operations, uses.note)
      const rules = await inSlices(ignore, uses.of)
      // What is made of these takes a turn of its own.
      await nextTurn()
      return {
        since: tally.since(),
        asOf: isWhole ? null : tally.asOf(),
        operations,
        overall: { ...judgeOverall(operations, comparable, rollout().confidence), kept: isKept },
        examples: examples.counts(),
        queue: shadow?.queue() ?? { length: 0, limit: rollout().limits.queue, running: 0, dropped: 0 },
        rules,
        rollout: { loadedAt: rolloutFile.current().loadedAt, error: rolloutFile.current().error },
      }
    },
    async reset(order) {
      const { at, isStored } = await tally.reset(order)
      return { at, isStored: isStored && isKept }
    },
    examples,
    comparisons: comparisons.counts,
    recordingsDropped: () => recording?.dropped() ?? 0,
    rollout: rolloutFile.current,
    results: tally.health,
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
      // A change that was found in this turn is noted before that.
      await nextTurn()
      // Half the time, so that a receiver that hangs leaves the rest for storing.
      const told = webhooks?.close(graceMs / 2)
      await shadow?.close(graceMs)
      await comparing.close()
      await recording?.close()
      await told
      await usage.close(Math.max(endsAt - performance.now(), 0))
      await cutover.close(Math.max(endsAt - performance.now(), LEAST_MS))
      await tally.close(Math.max(endsAt - performance.now(), 0))
    },
  }
}
