import type { Import } from '../../store/engine.ts'
import { addDocuments, type Delta } from '../../store/ledger.ts'
import { query } from '../../store/sql.ts'
import type { BrownoutMark, MarksByBrownout } from '../brownouts/brownout-calls.ts'
import { LOGIN, loginDelta } from '../logins/login-store.ts'
import { MARKS, marksDelta } from './brownout-marks.ts'

type MarksRow = Readonly<Record<'client' | 'brownout', string>> &
  Readonly<Record<BrownoutMark, number | string>> & { readonly day: number }

/** Copies what gateways before the ledger stored of brownouts: a row for each client, day and brownout. */
export const importMarks: Import = function* (now, hasTable) {
  if (!hasTable('usage_brownout')) return
  const rows = yield* query<MarksRow>('SELECT client, day, brownout, refused, passed, since FROM usage_brownout')
  const sums = new Map<string, Delta<MarksByBrownout>>()
  for (const { client, day, brownout, refused, passed, since } of rows) {
    const marks = { [brownout]: { refused: Number(refused), passed: Number(passed), since: Number(since) } }
    const delta = marksDelta(client, day, marks)
    sums.set(delta.key, { ...delta, doc: { ...sums.get(delta.key)?.doc, ...marks } })
  }
  yield* addDocuments(MARKS, [...sums.values()], now)
}

/** Copies the logins that gateways before the ledger stored, in their order. */
export const importLogins: Import = function* (now, hasTable) {
  if (!hasTable('login')) return
  const rows = yield* query<Readonly<Record<'hash' | 'client', string>>>(
    'SELECT hash, client FROM login ORDER BY number',
  )
  yield* addDocuments(LOGIN, rows.map(loginDelta), now)
}
