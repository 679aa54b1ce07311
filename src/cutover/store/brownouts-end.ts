import { isoOf, query, type Work } from '../../state/sql.ts'

const NAME = 'brownouts ended'

/** Returns when brownouts were last ended, ISO 8601; null if never. */
export function* readBrownoutsEnd(): Work<string | null> {
  const [row] = yield* query<{ readonly at: unknown }>('SELECT at FROM moment WHERE name = $1', NAME)
  return row === undefined ? null : isoOf(row.at)
}

/** Stores that brownouts were ended then, unless they were ended later. */
export function* endBrownoutsAt(at: Date): Work<void> {
  yield* query(
    'INSERT INTO moment (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE excluded.at > moment.at',
    ...[NAME, at.toISOString()],
  )
}
