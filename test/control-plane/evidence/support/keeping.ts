import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { IMPORTS } from '../../../../src/app/stores.ts'
import { evidenceDb } from '../../../../src/control-plane/evidence/tally/evidence-db.ts'
import type { KeptTallyOptions } from '../../../../src/control-plane/evidence/tally/kept-tally.ts'
import type { StateStore } from '../../../../src/control-plane/evidence/tally/state-store.ts'
import { sqliteEngine } from '../../../../src/control-plane/store/sqlite-engine.ts'
import { stateFolder } from '../../../support/comparing-process.ts'
import { expectationsFrom, lost } from './lines.ts'
import { criteriaOf, observe } from './observing.ts'

export const NOW = Date.parse('2027-03-04T12:00:00Z')
export const lines = expectationsFrom([lost('gone', 'no more'), lost('losses', 'no more')])
export const criteria = () => criteriaOf(new Map([['made-up', lines]]))
export const newFile = (): string => join(stateFolder(), 'state.db')

/** A store in this thread; `around` replaces some of its functions. */
export function storeOf(path: string, around: Partial<StateStore> = {}, now?: () => Date): StateStore {
  const process = randomUUID()
  const engine = sqliteEngine({ path, holder: process, imports: IMPORTS, ...(now && { now }) })
  const { open, add, keep, changes, days, resets } = evidenceDb(engine, process)
  return {
    ...{ name: path, isShared: false, open, add, changes, days, resets },
    async keep(unstored) {
      await keep(unstored)
      engine.open()
    },
    close: async () => engine.close(),
    ...around,
  }
}

export function logged() {
  const all: string[] = []
  const say = (...args: readonly unknown[]) => void all.push(String(args.at(-1)))
  return { all, log: { info: say, warn: say, error: say } as unknown as KeptTallyOptions['log'] }
}

export const matching = () => observe({ control: { a: 1 }, candidate: { a: 1 } })
export const requests = (tally: { snapshot(): readonly { totals: { requests: number } }[] }): number =>
  tally.snapshot()[0]?.totals.requests ?? 0

/** How many rows of counts a state file has. */
export const rowsIn = (path: string): number => {
  const db = new DatabaseSync(path, { timeout: 10_000 })
  const rows = Number(db.prepare("SELECT count(*) AS rows FROM ledger WHERE kind = 'evidence'").get()?.rows)
  db.close()
  return rows
}
