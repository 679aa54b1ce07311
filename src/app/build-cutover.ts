import { createHash, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Rollout } from '../compare/rollout/rollout.ts'
import { rolloutDiff } from '../compare/rollout/rollout-diff.ts'
import type { CurrentRollout } from '../compare/rollout/rollout-file.ts'
import type { KeptTally } from '../compare/tally/kept-tally.ts'
import type { Cutover } from '../cutover/cutover.ts'
import type { CutoverStore } from '../cutover/cutover-store.ts'
import type { AuditEntry, NewEntry } from '../cutover/event.ts'
import { conductor } from '../cutover/run/conductor.ts'
import { positionCache } from '../cutover/run/position-cache.ts'
import { inSlices } from '../observe/in-slices.ts'
import type { CutoverRow } from '../observe/metrics/cutover-metrics.ts'

/** How long judging waits for the results of other replicas. */
const READ_MS = 2_000

export interface CutoverParts {
  readonly store: CutoverStore
  readonly tally: Pick<KeptTally, 'refresh' | 'reports'>
  readonly rollout: () => Rollout
  /** The ids of all operations. */
  readonly operations: readonly string[]
  /** The path that `STATE_CACHE` names; undefined: it is not set. */
  readonly stateCache: string | undefined
  readonly log: Logger
}

/** Builds what runs the plans of the rollout file. */
export const buildCutover = ({ store, tally, rollout, operations, stateCache, log }: CutoverParts): Promise<Cutover> =>
  conductor({
    ...{ store, rollout, operations, log },
    async judge(wanted, maxAgeMs) {
      const isWhole = await tally.refresh(maxAgeMs, READ_MS)
      const reports = tally.reports((operation) => wanted.has(operation))
      return { isWhole, all: await inSlices(reports, (report) => report) }
    },
    cache: positionCache(stateCache, log),
    newId: randomUUID,
    now: () => new Date(),
    monotonic: () => performance.now(),
  })

/** How many entries to search for the last one about the rollout file. */
const LOOKED_THROUGH = 20

/**
 * Notes in the audit that the rollout file changed or was refused. When several replicas see the same change, the audit has one entry: its id is
 * derived from the entry before.
 */
export async function noteRollout(cutover: Cutover, current: CurrentRollout, previous: CurrentRollout): Promise<void> {
  const { event, to, why } = changeOf(current, previous)
  const before = await cutover.audit({ operation: '*', limit: LOOKED_THROUGH }).catch((): readonly AuditEntry[] => [])
  const last = before.find((entry) => entry.event === 'rollout-changed' || entry.event === 'rollout-refused')
  if (last?.event === event && last.to === to && last.why === why) return
  const from = `version ${previous.hash}`
  const id = createHash('sha256')
    .update(JSON.stringify([last?.id, event, from, to, why]))
    .digest('hex')
    .slice(0, 32)
  cutover.note({ ...FILE, id, event, from, to, why })
}

const FILE = { operation: '*', by: 'auto', lineage: '{}', counts: '{}' } as const

function changeOf(current: CurrentRollout, previous: CurrentRollout): Pick<NewEntry, 'event' | 'to' | 'why'> {
  if (current.error !== null) return { event: 'rollout-refused', to: 'refused', why: current.error }
  const lines = rolloutDiff(previous.rollout, current.rollout)
  const why = lines.length === 0 ? 'the file means the same as before' : lines.join('\n')
  return { event: 'rollout-changed', to: `version ${current.hash}`, why }
}

/** Returns what the metrics show of each plan. */
export const cutoverRows = (cutover: Cutover): readonly CutoverRow[] =>
  cutover.reports().map(({ operation, state, percent }) => ({
    ...{ operation, state, percent, brakes: cutover.brakes().get(operation) ?? 0 },
  }))
