import type { Logger } from 'pino'
import { within } from '../../../common/promises.ts'
import type { Plan } from '../../rollout/plan.ts'
import type { NewEntry } from '../audit.ts'
import type { Cutover, CutoverReport } from '../cutover.ts'
import type { CutoverStore } from '../cutover-store.ts'
import { refusalOf } from '../decide/order.ts'
import { reportOf, unjudgedReport } from '../decide/plan-report.ts'
import type { AskGate } from '../gate/ask-gate.ts'
import { gates } from '../gate/gates.ts'
import { deciding, turns } from './deciding.ts'
import { type JudgingOptions, judging, ownEntries } from './judging.ts'
import { NOT_STORED, noPlan, ordering } from './ordering.ts'
import type { PositionCache } from './position-cache.ts'
import { type StandingsOptions, standings } from './standings.ts'
import { logMoves, stopping, unjudgedPlans } from './stopping.ts'

export interface ConductorOptions extends Omit<StandingsOptions, 'cache'>, Pick<JudgingOptions, 'judge'> {
  readonly store: CutoverStore
  readonly cache: PositionCache
  /** Asks the gates of plans. */
  readonly askGate: AskGate
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly newId: () => string
  readonly everyMs?: number | undefined
}

/** How often to store, read and decide. A step must be in effect everywhere within two seconds. */
const EVERY_MS = 1_000
/** Operations are judged in each third of these turns: the reports of large results take some milliseconds each. */
const JUDGED_EVERY = 3
/** How long startup waits for the store. */
const START_MS = 2_000

/** Resolves when the positions are known: from the store or, if it does not answer, from the cache. */
export async function conductor(options: ConductorOptions): Promise<Cutover> {
  const { store, rollout, cache, log, newId, monotonic, everyMs = EVERY_MS } = options
  const known = standings(options)
  // Until it works again, nobody knows what other processes have found.
  const storing = turns(log, known.verdicts.distrust)
  const entries = ownEntries(log)
  const ends = ownEnds(monotonic)
  const logMove = logMoves(log)
  const unjudged = unjudgedPlans(log)
  const stops = stopping({ known, unjudged, logMove, newId, monotonic, storeSoon: () => void turn() })
  const atGates = gates({ ask: options.askGate, onAnswer: () => void turn(), monotonic, turnMs: everyMs })
  const decisions = deciding({ known, unjudged, store, stopping: stops, gates: atGates, log, logMove, newId })

  const isNeeded = (): boolean =>
    known.plans().size > 0 ||
    rollout().brownouts.length > 0 ||
    !(entries.isEmpty() && ends.isEmpty()) ||
    known.unstored().length > 0
  let waiting: Promise<void> | undefined
  /** Stores, reads and decides. Only one call waits for its turn; later callers share it. */
  const turn = (): Promise<void> => {
    known.follow()
    if (!isNeeded()) return Promise.resolve()
    waiting ??= storing
      .take(async () => {
        waiting = undefined
        await decisions.storeStops()
        await ends.store(store)
        await decisions.read()
        await entries.store(store)
        await decisions.decideAll()
        await decisions.storeStops()
      })
      // `turns` has logged the failure, and the next turn tries again.
      .catch(() => undefined)
    return waiting
  }
  const reported = (operation: string, plan: Plan): CutoverReport => {
    try {
      return reportOf(known.of(operation, plan))
    } catch (error) {
      unjudged.add(operation, error)
      return unjudgedReport(known.position(operation), plan)
    }
  }
  const note: Cutover['note'] = (entry, message) => {
    entries.add(entry, message)
    void turn()
  }
  const judge = judging({ known, judge: options.judge, everyMs: JUDGED_EVERY * everyMs, note, monotonic, log })
  const second = (): void => {
    if (known.follow()) void turn()
    for (const operation of known.plans().keys()) stops.check(operation)
    void judge.all()
    void turn()
  }

  const cached = await cache.read()
  if (cached !== undefined) known.recall(cached)
  await within(START_MS, turn())
  store.onDecided(() => void turn())
  // So that the first step does not wait for the first second.
  void judge.all().then(turn)
  const timer = setInterval(second, everyMs).unref()
  return {
    percentOf(operation) {
      if (known.follow()) void turn()
      return known.percents().get(operation)
    },
    count(call) {
      if (known.count(call)) stops.failed(call.operation as string)
    },
    countPair(call) {
      known.countPair(call)
    },
    reports() {
      known.follow()
      return Array.from(known.plans(), ([operation, plan]) => {
        const report = reported(operation, plan)
        return known.isUnstored(operation) ? { ...report, why: report.why + NOT_STORED } : report
      })
    },
    order: ordering({ known, deciding: decisions, storing, judgeNow: judge.now, logMove, newId }),
    refusalOf({ operation, action }) {
      known.follow()
      const plan = known.plans().get(operation)
      return plan === undefined ? noPlan(operation) : refusalOf(action, known.of(operation, plan))
    },
    audit: (query) => store.audit(query),
    note,
    noteChange(change) {
      entries.addChange(change)
      void turn()
    },
    percents: () => (known.percents().size === 0 ? null : Object.fromEntries(known.percents())),
    brownoutsEndedAt: known.brownoutsEndedAt,
    async endBrownouts(entry) {
      ends.add(entry)
      await storing.take(async () => {
        await ends.store(store)
        await decisions.read()
      })
    },
    brakes: stops.brakes,
    turn,
    async close(graceMs) {
      clearInterval(timer)
      atGates.close()
      stops.close()
      await within(graceMs, turn())
      await within(graceMs, cache.close())
    },
  }
}

/** Ends of all brownouts that were ordered at this process and wait to be stored. */
export interface OwnEnds {
  add(entry: NewEntry): void
  isEmpty(): boolean
  /** Stores them in order, each with the time when it was ordered. Rejects with a StateError; the rest waits for the next time. */
  store(store: Pick<CutoverStore, 'endBrownouts'>): Promise<void>
}

/** @param monotonic returns ms. */
function ownEnds(monotonic: () => number): OwnEnds {
  const waiting: { readonly entry: NewEntry; readonly orderedAt: number }[] = []
  return {
    add: (entry) => void waiting.push({ entry, orderedAt: monotonic() }),
    isEmpty: () => waiting.length === 0,
    async store(store) {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        await store.endBrownouts(next.entry, monotonic() - next.orderedAt)
        waiting.shift()
      }
    },
  }
}
