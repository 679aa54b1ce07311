import type { Logger } from 'pino'
import { type BrownoutEnds, type CurrentBrownouts, currentBrownouts } from '../cutover/brownout/current-brownouts.ts'
import { inSlices } from '../observe/in-slices.ts'
import type { Observe } from '../observe/observe-call.ts'
import { OTHERS, type Traffic, UNIDENTIFIED } from '../observe/traffic.ts'
import type { SideBySide } from './build-side-by-side.ts'
import type { Usage } from './build-usage.ts'
import { usageAhead } from './usage-ahead.ts'

const EVERY_MS = 500

/** The brownouts of the rollout file. */
export interface Brownouts extends Pick<CurrentBrownouts, 'end' | 'report'> {
  /** Decides which calls are refused. */
  readonly current: CurrentBrownouts
  /** Counts what an answered call was to brownouts. */
  readonly observe: Observe
  close(): void
}

/**
 * Builds the brownouts.
 * @param usage counts the calls of brownouts, and knows who called within the last 30 days. Until it has been read, the traffic says whom
 * brownouts to come affect.
 * @param traffic the calls so far; undefined: none have been counted yet.
 * @param ends shares ends with other replicas; undefined: only this process knows of them.
 * @param everyMs how soon a changed file, and an end on another replica, take effect.
 */
export function buildBrownouts(
  rollout: SideBySide['rollout'],
  usage: Pick<Usage, 'known' | 'brownouts' | 'mark'>,
  traffic: () => Traffic | undefined,
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
    inSlices,
    now: Date.now,
    random: Math.random,
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
    observe({ operation, client, brownout, milliseconds }) {
      // The time that a refusal takes does not matter here.
      const at = Date.now() - (brownout === undefined ? milliseconds : 0)
      current.count({ operation, client, brownout, at })
    },
    close: () => clearInterval(timer),
  }
}
