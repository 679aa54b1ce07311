import type { Logger } from 'pino'
import { earliest } from '../common/time.ts'
import type { UsageRow } from '../control-plane/cutover/brownout/client-calls.ts'
import {
  type BrownoutEnds,
  type CurrentBrownouts,
  currentBrownouts,
} from '../control-plane/cutover/brownout/current-brownouts.ts'
import type { KnownUsage } from '../control-plane/usage/stored-usage.ts'
import { OTHERS, type Traffic, UNIDENTIFIED } from '../observe/traffic.ts'
import type { CountedCall } from '../planes/messages.ts'
import type { SideBySide } from './build-side-by-side.ts'
import type { Usage } from './build-usage.ts'

const EVERY_MS = 500

/** The brownouts of the rollout file. */
export interface Brownouts extends Pick<CurrentBrownouts, 'end' | 'report'> {
  /** Those of the rollout file. */
  readonly current: CurrentBrownouts
  /** Counts what an answered call was to brownouts. */
  count(call: CountedCall): void
  close(): void
}

/**
 * Builds the brownouts.
 * @param usage counts the calls of brownouts, and knows who called within the last 30 days. Until it has been read, the traffic says whom
 * brownouts to come affect.
 * @param traffic the calls so far.
 * @param ends shares ends with other replicas; undefined: only this process knows of them.
 * @param everyMs how soon a changed file, and an end on another replica, take effect.
 */
export function buildBrownouts(
  rollout: SideBySide['rollout'],
  usage: Pick<Usage, 'known' | 'brownouts' | 'mark'>,
  traffic: Pick<Traffic, 'totals'>,
  ends: BrownoutEnds | undefined,
  log: Logger,
  everyMs = EVERY_MS,
): Brownouts {
  const ahead = usageAhead(usage.known, traffic)
  const current = currentBrownouts({
    rules: () => rollout().rollout.brownouts,
    ends,
    usage: ahead.calls,
    counted: usage.brownouts,
    mark: usage.mark,
    notClients: [OTHERS, UNIDENTIFIED],
    onNotStored: (error) =>
      log.error(
        { err: error },
        'the end of all brownouts cannot be stored now: until it is, other replicas do not know of it',
      ),
    now: Date.now,
  })
  const refresh = (): void => {
    if (rollout().rollout.brownouts.length > 0) void ahead.refresh()
    current.refresh()
  }
  const timer = setInterval(refresh, everyMs).unref()
  return {
    current,
    report: current.report,
    async end(order) {
      const ended = await current.end(order)
      log.warn(ended, 'all brownouts are ended')
      return ended
    },
    count: current.count,
    close: () => clearInterval(timer),
  }
}

/** Knows who has called what, for callers that cannot wait for the store. */
interface UsageAhead {
  /** Reads the store again, unless it did so within the last minute. Never rejects: if reading fails, the last result stays. */
  refresh(): Promise<void>
  /** Returns the calls of the last 30 days; before the first reading, those since this process started. `since`: from when on; ms since the epoch. */
  calls(): { readonly since: number; readonly rows: readonly UsageRow[] }
}

const DAYS = 30
const READ_EVERY_MS = 60_000

/** @param traffic what this process has counted since it started. */
function usageAhead(known: Pick<KnownUsage, 'since'>, traffic: Pick<Traffic, 'totals'>): UsageAhead {
  const started = Date.now()
  let readAt = Number.NEGATIVE_INFINITY
  let read: { readonly since: number; readonly rows: readonly UsageRow[]; readonly counted: ByName } | undefined
  const { totals } = traffic
  return {
    async refresh() {
      if (performance.now() - readAt < READ_EVERY_MS) return
      readAt = performance.now()
      const counted = byName(totals())
      const rows = await known.since(DAYS).catch(() => undefined)
      if (rows === undefined) return
      // Who called before the first of these calls is not known.
      const first = earliest(rows.map(({ firstAt }) => firstAt))
      read = { since: first === undefined ? started : Date.parse(first), rows, counted }
    },
    calls() {
      if (read === undefined) return { since: started, rows: totals() }
      const { since, rows, counted } = read
      return { since, rows: [...rows, ...totals().flatMap((total) => moreThan(counted, total))] }
    },
  }
}

/** Calls by client, then by operation. */
type ByName = ReadonlyMap<string, ReadonlyMap<string, number>>

function byName(rows: readonly UsageRow[]): ByName {
  const all = new Map<string, Map<string, number>>()
  for (const { client, operation, calls } of rows) {
    const ofClient = all.get(client) ?? new Map<string, number>()
    all.set(client, ofClient.set(operation, calls))
  }
  return all
}

/** Returns the calls beyond those already counted, if any. */
function moreThan(counted: ByName, { client, operation, calls }: UsageRow): readonly UsageRow[] {
  const more = calls - (counted.get(client)?.get(operation) ?? 0)
  return more > 0 ? [{ client, operation, calls: more }] : []
}
