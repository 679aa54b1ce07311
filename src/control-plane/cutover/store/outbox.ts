import { DAY_MS } from '../../../common/time.ts'
import { cleanJson } from '../../store/clean-text.ts'
import { isoOf, query, type Work } from '../../store/sql.ts'
import type { NewEntry, OutboxMessage } from '../audit.ts'
import type { Decision } from '../cutover-store.ts'

/** The most messages read at once. */
const MOST = 100
/** Undelivered messages are given up after this time. */
const GIVEN_UP_MS = DAY_MS

/** Adds the message of an entry, under its id. */
export function* addMessage({ id, operation }: NewEntry, message: Decision['message'], now: Date): Work<void> {
  if (message === undefined) return
  const at = now.toISOString()
  yield* query(ADD, id, operation, cleanJson({ ...message, at }), at)
}

const ADD = `
  INSERT INTO outbox (id, operation, body, attempts, created_at, due_at) VALUES ($1, $2, $3, 0, $4, $4)
  ON CONFLICT (id) DO NOTHING`

type MessageRow = Pick<OutboxMessage, 'id' | 'operation' | 'body' | 'attempts'> & {
  readonly number: number | string
  readonly created_at: unknown
  readonly due_at: unknown
}

export interface Due {
  readonly messages: readonly OutboxMessage[]
  readonly givenUp: number
}

/** Deletes messages that are too old, and returns those that are due: the oldest per operation, which holds up the others. */
export function* dueMessages(now: Date): Work<Due> {
  const tooOld = new Date(now.getTime() - GIVEN_UP_MS).toISOString()
  const givenUp = yield* query('DELETE FROM outbox WHERE created_at < $1 RETURNING id', tooOld)
  const rows = yield* query<MessageRow>(
    `SELECT number, id, operation, body, attempts, created_at, due_at FROM outbox
     WHERE number IN (SELECT min(number) FROM outbox GROUP BY operation) AND due_at <= $1 ORDER BY number LIMIT ${MOST}`,
    now.toISOString(),
  )
  const messages = rows.map(({ number, created_at, due_at, ...row }) => ({
    ...{ ...row, number: Number(number), createdAt: isoOf(created_at), dueAt: isoOf(due_at) },
  }))
  return { messages, givenUp: givenUp.length }
}

/** Deletes a message that was delivered, or postpones it. */
export function* settleMessage(
  id: string,
  outcome: 'delivered' | { readonly againInMs: number },
  now: Date,
): Work<void> {
  if (outcome === 'delivered') yield* query('DELETE FROM outbox WHERE id = $1', id)
  else {
    const dueAt = new Date(now.getTime() + outcome.againInMs).toISOString()
    yield* query('UPDATE outbox SET attempts = attempts + 1, due_at = $2 WHERE id = $1', id, dueAt)
  }
}
