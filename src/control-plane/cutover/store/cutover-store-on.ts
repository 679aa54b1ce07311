import type { Logger } from 'pino'
import { type Engine, whileHeld } from '../../store/engine.ts'
import type { Lease } from '../../store/lease.ts'
import { isoOf, query, type Work } from '../../store/sql.ts'
import type { NewEntry } from '../audit.ts'
import type { CutoverLease, CutoverState, CutoverStore, Decision } from '../cutover-store.ts'
import type { Position } from '../position.ts'
import { addMessage, type Due, dueMessages, settleMessage } from './outbox.ts'
import { ownAnswers } from './own-answers.ts'
import { addAnswers, readAnswers } from './stage-answers.ts'
import { addEntry, hasEntry, movePosition, readAudit, readPositions } from './stored-decisions.ts'

export interface CutoverStoreOptions {
  readonly engine: Engine
  /** Identifies this process among all that store; new at each start. */
  readonly process: string
  readonly isShared: boolean
  readonly onDecided?: CutoverStore['onDecided'] | undefined
  readonly log: Pick<Logger, 'warn'>
}

/** The lease of whoever takes the steps of plans and sends messages. */
const LEASE = 'cutover'
const NONE_DUE: Due = { messages: [], givenUp: 0 }

/** Stores the cut-over on an engine. Keeps in memory how much of what this process answered is stored. */
export function cutoverStore(options: CutoverStoreOptions): CutoverStore {
  const { engine, process, isShared, onDecided = () => undefined, log } = options
  const keep = ownAnswers(process, (portion) => engine.transaction((now) => addAnswers(portion, now)))
  let known: readonly Position[] = []

  /** A replaced or restored state takes plans back, and with them the clients. */
  const compare = (positions: readonly Position[]): void => {
    const versions = new Map(positions.map(({ operation, version }) => [operation, version]))
    const back = known.filter(({ operation, version }) => (versions.get(operation) ?? 0) < version)
    known = positions
    if (back.length === 0) return
    log.warn(
      { operations: back.map(({ operation }) => operation) },
      'the state was replaced or restored: plans stand where it says',
    )
  }
  function* read(now: Date, withAnswered: boolean): Work<CutoverState> {
    const { positions, stages } = yield* readPositions()
    const answered = withAnswered ? yield* readAnswers(stages) : undefined
    return { now: now.toISOString(), positions, answered, brownoutsEndedAt: yield* readBrownoutsEnd() }
  }
  function* decide({ position, isNewStage, entry, message }: Decision, now: Date): Work<'stored' | 'stale'> {
    // It was stored before, but the answer was lost.
    if (yield* hasEntry(entry.id)) return 'stored'
    if (position !== undefined && !(yield* movePosition({ position, isNewStage: isNewStage === true }, now))) {
      return 'stale'
    }
    if (yield* addEntry(entry, now)) yield* addMessage(entry, message, now)
    if (position !== undefined) yield* engine.announce()
    return 'stored'
  }
  function* endBrownouts(entry: NewEntry, agoMs: number, now: Date): Work<void> {
    if (!(yield* addEntry(entry, now))) return
    yield* endBrownoutsAt(new Date(now.getTime() - agoMs))
    yield* engine.announce()
  }
  const held = <Result>({ holder, token }: CutoverLease, work: (now: Date) => Work<Result>) =>
    whileHeld(engine, { name: LEASE, holder, token } satisfies Lease, work)
  return {
    ...{ isShared, onDecided },
    async read(withAnswered = true) {
      const state = await engine.transaction((now) => read(now, withAnswered), 'read')
      compare(state.positions)
      return state
    },
    keep,
    async lease() {
      const lease = await engine.lease(LEASE)
      return lease && { holder: lease.holder, token: lease.token }
    },
    async decide(decision, lease) {
      const work = (now: Date) => decide(decision, now)
      if (lease === undefined) return engine.transaction(work)
      return (await held(lease, work)) ?? 'stale'
    },
    endBrownouts: (entry, agoMs) => engine.transaction((now) => endBrownouts(entry, agoMs, now)),
    audit: (query) => engine.transaction(() => readAudit(query), 'read'),
    due: async (lease) => (await held(lease, dueMessages)) ?? NONE_DUE,
    settle: (id, outcome, lease) => held(lease, (now) => settleMessage(id, outcome, now)),
  }
}

const NAME = 'brownouts ended'

/** Returns when brownouts were last ended, ISO 8601; null if never. */
function* readBrownoutsEnd(): Work<string | null> {
  const [row] = yield* query<{ readonly at: unknown }>('SELECT at FROM moment WHERE name = $1', NAME)
  return row === undefined ? null : isoOf(row.at)
}

/** Stores that brownouts were ended then, unless they were ended later. */
function* endBrownoutsAt(at: Date): Work<void> {
  yield* query(
    'INSERT INTO moment (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE excluded.at > moment.at',
    ...[NAME, at.toISOString()],
  )
}
