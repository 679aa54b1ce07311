import type { Logger } from 'pino'
import { type BrownoutEnds, type CurrentBrownouts, currentBrownouts } from '../cutover/brownout/current-brownouts.ts'
import type { Observe } from '../observe/observe-call.ts'
import { OTHERS, type Traffic, UNIDENTIFIED } from '../observe/traffic.ts'
import type { SideBySide } from './build-side-by-side.ts'

/** How soon a changed file, and an end on another replica, take effect. */
const EVERY_MS = 500

/** The brownouts of the rollout file. */
export interface Brownouts extends Pick<CurrentBrownouts, 'end' | 'report'> {
  /** Decides which calls are refused. */
  readonly current: CurrentBrownouts
  /** Counts an answered call by its client, before the traffic does. */
  readonly observe: Observe
  close(): void
}

/**
 * Builds the brownouts.
 * @param traffic the calls so far; undefined: none is counted yet.
 * @param ends undefined: an end is known to this process only.
 */
export function buildBrownouts(
  rollout: SideBySide['rollout'],
  traffic: () => Traffic | undefined,
  ends: BrownoutEnds | undefined,
  log: Logger,
): Brownouts {
  const since = Date.now()
  const current = currentBrownouts({
    rules: () => rollout().rollout.brownouts,
    ends,
    usage: () => ({ since, rows: traffic()?.totals() ?? [] }),
    notClients: [OTHERS, UNIDENTIFIED],
    onNotStored: (error) =>
      log.error({ err: error }, 'the end of all brownouts could not be stored: other replicas do not know of it'),
    now: Date.now,
    random: Math.random,
  })
  const timer = setInterval(current.refresh, EVERY_MS).unref()
  return {
    current,
    report: current.report,
    async end(order) {
      const ended = await current.end(order)
      log.warn(ended, 'all brownouts are ended')
      return ended
    },
    observe({ operation, client, brownout, milliseconds }) {
      // Refusals take no time that matters here.
      const at = Date.now() - (brownout === undefined ? milliseconds : 0)
      current.count({ operation, client, brownout, at })
    },
    close: () => clearInterval(timer),
  }
}
