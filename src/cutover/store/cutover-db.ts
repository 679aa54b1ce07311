import type { Engine } from '../../state/sql.ts'
import { isoOf, query, type Work } from '../../state/sql.ts'
import type { AuditEntry, NewEntry } from '../audit.ts'
import type { AuditQuery, CutoverLease, CutoverState, Decision } from '../cutover-store.ts'
import type { Answered } from '../position.ts'
import { beginAnswered, type Counter, type Fate, foldAnswered, sumAnswered, writeAnswered } from './answered-rows.ts'
import { addEntry, forgetCounts, hasEntry, movePosition, readAudit, readPositions } from './decisions.ts'
import { addMessage, type Due, dueMessages, settleMessage } from './outbox.ts'

/** The part of a `CutoverStore` that works on the database, in a thread of its own. It keeps nothing in memory. */
export interface CutoverDb {
  read(withAnswered: boolean): Promise<CutoverState>
  /** Adds empty rows of a process. Existing rows stay as they are. */
  begin(process: Counter, answered: readonly Answered[]): Promise<void>
  /** Writes existing rows of a process. Returns the fate of each, in the same order. */
  write(process: Counter, answered: readonly Answered[]): Promise<readonly Fate[]>
  lease(): Promise<CutoverLease | undefined>
  /** Folds the rows of processes that are gone, and deletes rows that belong to nothing any more. */
  housekeep(lease: CutoverLease): Promise<void>
  decide(decision: Decision, lease?: CutoverLease): Promise<'stored' | 'stale'>
  endBrownouts(entry: NewEntry, agoMs: number): Promise<void>
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  due(lease: CutoverLease): Promise<Due>
  settle(id: string, outcome: 'delivered' | { readonly againInMs: number }, lease: CutoverLease): Promise<void>
}

const NONE_DUE: Due = { messages: [], givenUp: 0 }

/** The statements are the same on all engines. */
export function cutoverDb(engine: CutoverEngine): CutoverDb {
  function* read(now: Date, withAnswered: boolean): Work<CutoverState> {
    const { positions, stages } = yield* readPositions()
    const answered = withAnswered ? yield* sumAnswered(stages) : undefined
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
  function* housekeep(now: Date): Work<void> {
    yield* foldAnswered(now)
    yield* forgetCounts()
  }
  return {
    read: (withAnswered) => engine.transaction((now) => read(now, withAnswered), 'read'),
    begin: (process, answered) => engine.transaction((now) => beginAnswered(process, answered, now)),
    write: (process, answered) => engine.transaction((now) => writeAnswered(process, answered, now)),
    lease: () => engine.lease(),
    housekeep: (lease) => engine.whileHeld(lease, housekeep),
    async decide(decision, lease) {
      const work = (now: Date) => decide(decision, now)
      if (lease === undefined) return engine.transaction(work)
      return (await engine.whileHeld(lease, work)) ?? 'stale'
    },
    endBrownouts: (entry, agoMs) => engine.transaction((now) => endBrownouts(entry, agoMs, now)),
    audit: (query) => engine.transaction(() => readAudit(query), 'read'),
    due: async (lease) => (await engine.whileHeld(lease, dueMessages)) ?? NONE_DUE,
    settle: (id, outcome, lease) => engine.whileHeld(lease, (now) => settleMessage(id, outcome, now)),
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

/** What differs between the databases that hold the cut-over. */
export interface CutoverEngine extends Engine {
  /** Runs a transaction if the lease holds; undefined if it does not. Nobody can take over the lease before the transaction ends. */
  whileHeld<Result>(lease: CutoverLease, work: (now: Date) => Work<Result>): Promise<Result | undefined>
  lease(): Promise<CutoverLease | undefined>
  /** Makes other processes read again once the transaction is committed. */
  announce(): Work<void>
}
