import type { Work } from '../../state/sql.ts'
import type { Answered } from '../answered.ts'
import type { AuditQuery, CutoverLease, CutoverState, Decision } from '../cutover-store.ts'
import type { AuditEntry, NewEntry } from '../event.ts'
import { beginAnswered, type Counter, type Fate, foldAnswered, sumAnswered, writeAnswered } from './answered-rows.ts'
import { addEntry, forgetCounts, hasEntry, readAudit } from './audit-entries.ts'
import { endBrownoutsAt, readBrownoutsEnd } from './brownouts-end.ts'
import type { CutoverEngine } from './cutover-engine.ts'
import { addMessage, type Due, dueMessages, settleMessage } from './outbox.ts'
import { movePosition, readPositions } from './position-rows.ts'

/** The part of a `CutoverStore` that works on the database, for a thread of its own. It remembers nothing. */
export interface CutoverDb {
  read(): Promise<CutoverState>
  /** Makes rows of a process in which nothing is counted yet; those that are there stay as they are. */
  begin(process: Counter, answered: readonly Answered[]): Promise<void>
  /** Writes rows of a process that are there, and says in their order what became of them. */
  write(process: Counter, answered: readonly Answered[]): Promise<readonly Fate[]>
  lease(): Promise<CutoverLease | undefined>
  /** Folds the rows of processes that are gone, and deletes what belongs to nothing any more. */
  housekeep(lease: CutoverLease): Promise<void>
  decide(decision: Decision, lease?: CutoverLease): Promise<'stored' | 'stale'>
  endBrownouts(entry: NewEntry): Promise<void>
  audit(query: AuditQuery): Promise<readonly AuditEntry[]>
  due(lease: CutoverLease): Promise<Due>
  settle(id: string, outcome: 'delivered' | { readonly againInMs: number }, lease: CutoverLease): Promise<void>
}

const NONE_DUE: Due = { messages: [], givenUp: 0 }

/** The statements are the same on all engines. */
export function cutoverDb(engine: CutoverEngine): CutoverDb {
  function* read(now: Date): Work<CutoverState> {
    const { positions, stages } = yield* readPositions()
    const answered = yield* sumAnswered(stages)
    return { now: now.toISOString(), positions, answered, brownoutsEndedAt: yield* readBrownoutsEnd() }
  }
  function* decide({ position, isNewStage, entry, message }: Decision, now: Date): Work<'stored' | 'stale'> {
    // It was stored before, and nobody could say so.
    if (yield* hasEntry(entry.id)) return 'stored'
    if (position !== undefined && !(yield* movePosition({ position, isNewStage: isNewStage === true }, now))) {
      return 'stale'
    }
    if (yield* addEntry(entry, now)) yield* addMessage(entry, message, now)
    if (position !== undefined) yield* engine.announce()
    return 'stored'
  }
  function* endBrownouts(entry: NewEntry, now: Date): Work<void> {
    if (!(yield* addEntry(entry, now))) return
    yield* endBrownoutsAt(now)
    yield* engine.announce()
  }
  function* housekeep(now: Date): Work<void> {
    yield* foldAnswered(now)
    yield* forgetCounts()
  }
  return {
    read: () => engine.transaction(read, 'read'),
    begin: (process, answered) => engine.transaction((now) => beginAnswered(process, answered, now)),
    write: (process, answered) => engine.transaction((now) => writeAnswered(process, answered, now)),
    lease: () => engine.lease(),
    housekeep: (lease) => engine.whileHeld(lease, housekeep),
    async decide(decision, lease) {
      const work = (now: Date) => decide(decision, now)
      if (lease === undefined) return engine.transaction(work)
      return (await engine.whileHeld(lease, work)) ?? 'stale'
    },
    endBrownouts: (entry) => engine.transaction((now) => endBrownouts(entry, now)),
    audit: (query) => engine.transaction(() => readAudit(query), 'read'),
    due: async (lease) => (await engine.whileHeld(lease, dueMessages)) ?? NONE_DUE,
    settle: (id, outcome, lease) => engine.whileHeld(lease, (now) => settleMessage(id, outcome, now)),
  }
}
