import type { Import } from '../../store/engine.ts'
import { addDocuments } from '../../store/ledger.ts'
import { query } from '../../store/sql.ts'
import { ANSWERS, addAnswered, answersDelta, answersKey } from './stage-answers.ts'

/** Copies what gateways before the ledger stored of the answers at each stage, which was a row for each process. */
export const importAnswers: Import = function* (now, hasTable) {
  if (!hasTable('answered')) return
  const rows = yield* query<{ readonly operation: string; readonly stage: number; readonly counts: string }>(
    'SELECT operation, stage, counts FROM answered',
  )
  const sums = Array.from(Map.groupBy(rows, answersKey).values(), (group) => {
    const [{ operation, stage }] = group as [(typeof rows)[number]]
    return { operation, stage, ...addAnswered(group.map(({ counts }) => ANSWERS.parse(JSON.parse(counts)))) }
  })
  yield* addDocuments(ANSWERS, sums.map(answersDelta), now)
}
