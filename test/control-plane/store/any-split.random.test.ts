import { expect, it } from 'vitest'
import type { Observation } from '../../../src/control-plane/evidence/observation.ts'
import { createTally } from '../../../src/control-plane/evidence/tally/tally.ts'
import { runs } from '../../support/random-runs.ts'
import { newSchema, sharedPostgres } from '../../support/shared-postgres.ts'
import { expectationsFrom, lost } from '../evidence/support/lines.ts'
import { criteriaOf, observe } from '../evidence/support/observing.ts'
import { replicaOf, type TestReplica } from './support/replicas.ts'

const OBSERVATIONS = runs(2_000)
const lines = expectationsFrom([lost('gone', 'no more')])
const operations = new Map(['first', 'second', 'third'].map((id) => [id, lines]))
const server = sharedPostgres()

/** A sequence of numbers below a limit that is the same for a seed (mulberry32). With these seeds, all there is to happen happens early. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** An observation with some of many differences: declared, real, in odd names. */
function someObservation(next: (below: number) => number): Observation {
  const operation = [...operations.keys()][next(3)] as string
  const name = ['a', 'ışık', 'nul\0', 'half\ud800', 'gone', `m${next(40)}`][next(6)] as string
  const control = { id: next(500), a: 1, [name]: next(3) }
  const seen = observe({
    operation,
    control: [control],
    candidate: next(4) === 0 ? [{ ...control, [name]: 'other' }] : [control],
    expectations: lines,
    input: `input ${next(300)}`,
    client: `client ${next(30)}`,
    at: new Date(Date.UTC(2027, 2, 4) + next(1_000_000)),
  })
  return { ...seen, lineage: { mapping: lines.mapping, v1: `${next(3)}`, legacy: null } }
}

it.skipIf(server === undefined).each([4, 7])(
  'any split over replicas, crashes and repeated flushes gives the report of one process (%i)',
  async (seed) => {
    if (server === undefined) return
    const next = numbers(seed)
    const settings = { ...server.settings, schema: newSchema() }
    const direct = createTally(() => criteriaOf(operations))
    const start = () => ({ replica: replicaOf(settings, operations), unstored: [] as Observation[] })
    const running = [start(), start(), start()]
    const all: TestReplica[] = running.map(({ replica }) => replica)
    let lostOnes = 0
    const store = async (one: (typeof running)[number]): Promise<void> => {
      // The portion that is sent again comes first, and then what was found since.
      do {
        if (!(await one.replica.flush())) throw new Error('a flush failed that was to work')
      } while (one.replica.unstored() > 0)
      for (const observation of one.unstored.splice(0)) direct.record(observation)
    }
    for (let count = 0; count < OBSERVATIONS; count++) {
      const which = next(3)
      const one = running[which] as (typeof running)[number]
      const observation = someObservation(next)
      one.replica.record(observation)
      one.unstored.push(observation)
      switch (next(100)) {
        case 0:
        case 1:
        case 2:
          await store(one)
          break
        case 3:
          await one.replica.flush('fails')
          break
        case 4:
          await one.replica.flush('works, but nobody hears of it')
          break
        case 6:
          if (next(3) > 0) break
          // SIGKILL: what is not stored is lost, and only that.
          await store(one)
          for (let more = next(5); more > 0; more--, lostOnes++) one.replica.record(someObservation(next))
          await one.replica.kill()
          running[which] = start()
          all.push((running[which] as (typeof running)[number]).replica)
          break
      }
    }
    for (const one of running) await store(one)
    const reports = JSON.stringify(direct.snapshot())
    for (const { replica } of running) expect(JSON.stringify((await replica.tally()).snapshot())).toBe(reports)
    const counted = direct.snapshot().flatMap(({ totals, history }) => [totals, ...history])
    expect(counted.reduce((sum, { requests }) => sum + requests, 0)).toBe(OBSERVATIONS)
    expect(lostOnes).toBeGreaterThan(0)
    const [rows] = await server.query(
      `SELECT count(*)::int AS count FROM ${settings.schema}.ledger WHERE kind = 'evidence'`,
    )
    // A row for each lineage of each operation, however many processes there were.
    expect(rows?.count).toBe(9)
    for (const replica of all) await replica.kill()
  },
  120_000,
)
