import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { query } from '../../../src/control-plane/store/sql.ts'
import { runOn } from '../../../src/control-plane/store/sqlite-engine.ts'

it('statements run with their own values, however often and however many others ran in between', () => {
  const db = new DatabaseSync(':memory:')
  for (let round = 0; round < 3; round++) {
    for (let number = 0; number < 300; number++) {
      const rows = runOn(
        db,
        query(`SELECT $2 AS b, $1 AS a, $2 AS again, ${number} AS number`, round, `text ${number}`),
      )
      expect(rows).toEqual([{ b: `text ${number}`, a: round, again: `text ${number}`, number }])
    }
  }
  db.close()
})

it('a statement runs after its tables were created again', () => {
  const db = new DatabaseSync(':memory:')
  for (const columns of ['a', 'a, b']) {
    db.exec(`DROP TABLE IF EXISTS t; CREATE TABLE t (${columns})`)
    runOn(db, query('INSERT INTO t (a) VALUES ($1)', 7))
    expect(runOn(db, query('SELECT * FROM t'))).toMatchObject([{ a: 7 }])
  }
  db.close()
})
