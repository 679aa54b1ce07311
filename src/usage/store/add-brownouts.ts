import { query, type SqlValue, type Work } from '../../state/sql.ts'
import { addMarksOf, type BrownoutMarks, type MarksByBrownout } from '../brownouts/brownout-calls.ts'
import type { UsageRow } from '../usage.ts'
import { dayNumber } from './day-number.ts'

/** The most rows written with one statement. */
const AT_ONCE = 50

/** Adds what the calls of rows were to brownouts to what is stored. The rows must be in order, so that processes do not deadlock. */
export function* addBrownouts(rows: readonly UsageRow[]): Work<void> {
  const values = [...byClientAndDay(rows)].flatMap(([key, marks]) => valuesOf(key, marks))
  for (let from = 0; from < values.length; from += AT_ONCE) {
    const some = values.slice(from, from + AT_ONCE)
    yield* query(insertOf(some.length), ...some.flat())
  }
}

/** A brownout counts all operations together. */
function byClientAndDay(rows: readonly UsageRow[]): ReadonlyMap<string, MarksByBrownout> {
  const sums = new Map<string, MarksByBrownout>()
  for (const { client, day, brownouts } of rows) {
    const key = JSON.stringify([client, dayNumber(day)])
    const sum = addMarksOf(sums.get(key), brownouts)
    if (sum !== undefined) sums.set(key, sum)
  }
  return sums
}

const valuesOf = (key: string, marks: MarksByBrownout): readonly (readonly SqlValue[])[] => {
  const [client, day] = JSON.parse(key) as readonly [string, number]
  return Object.keys(marks)
    .sort()
    .map((brownout) => {
      const { refused, passed, since } = marks[brownout] as BrownoutMarks
      return [client, day, brownout, refused, passed, since]
    })
}

const COLUMNS = ['client', 'day', 'brownout', 'refused', 'passed', 'since']

const insertOf = (many: number): string => {
  const given = Array.from(
    { length: many },
    (_, row) => `(${COLUMNS.map((_, at) => `$${row * COLUMNS.length + at + 1}`).join(', ')})`,
  )
  return `
  INSERT INTO usage_brownout (${COLUMNS.join(', ')}) VALUES ${given.join(', ')}
  ON CONFLICT (client, day, brownout) DO UPDATE SET
    refused = usage_brownout.refused + excluded.refused,
    passed = usage_brownout.passed + excluded.passed,
    since = usage_brownout.since + excluded.since`
}
