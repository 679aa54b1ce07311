import { ANSWERS, answersKey } from '../../src/control-plane/cutover/store/stage-answers.ts'
import { readPositions } from '../../src/control-plane/cutover/store/stored-decisions.ts'
import { EVIDENCE, readResets } from '../../src/control-plane/evidence/tally/evidence-db.ts'
import { Resets } from '../../src/control-plane/evidence/tally/resets.ts'
import { createTally } from '../../src/control-plane/evidence/tally/tally.ts'
import { documentsAfter } from '../../src/control-plane/store/ledger.ts'
import { query } from '../../src/control-plane/store/sql.ts'
import { LOGIN } from '../../src/control-plane/usage/logins/login-store.ts'
import { MARKS } from '../../src/control-plane/usage/store/brownout-marks.ts'
import type { CountedObservation, ReplicaProcess, World } from './replica.ts'
import { BEGINNING, BROWNOUT, BUSY_CLIENT, type Counted, type MarkedCall } from './traffic.ts'

/** What is left at the end of a history: every process that there was, and those that are still alive and have stored everything. */
export interface Ending {
  readonly world: World
  readonly all: readonly ReplicaProcess[]
  readonly alive: readonly ReplicaProcess[]
}

/** Calls `missing` for each item that must be stored and is not. Returns those that are stored. */
function presentOf<Item>(
  { all, alive }: Ending,
  of: (process: ReplicaProcess) => Counted<Item>,
  isStored: (item: Item) => boolean,
  missing: (item: Item, process: ReplicaProcess) => void,
): readonly Item[] {
  return all.flatMap((process) =>
    of(process)
      .all()
      .filter((item, index) => {
        if (isStored(item)) return true
        if (of(process).isCertain(index, alive.includes(process))) missing(item, process)
        return false
      }),
  )
}

/** Every result counts once, all replicas report the same, and so would a single process. */
async function evidenceIsRight(ending: Ending): Promise<readonly string[]> {
  const { world, alive } = ending
  const wrong: string[] = []
  const stored = world.database.read(documentsAfter(EVIDENCE, 0))
  const times = new Map<number, number>()
  for (const { doc } of stored) {
    for (const [client, count] of doc.clients) times.set(client, (times.get(client) ?? 0) + count)
  }
  const present = presentOf<CountedObservation>(
    ending,
    ({ observed }) => observed,
    ({ observation }) => times.has(observation.client as number),
    ({ observation }, { name }) =>
      wrong.push(`The result ${observation.client}, which ${name} had stored, is missing.`),
  )
  for (const [client, count] of times) if (count > 1) wrong.push(`The result ${client} counts ${count} times.`)
  const resets = new Resets(() => BEGINNING + world.time.now())
  for (const reset of world.database.read(readResets())) resets.add(reset)
  const direct = createTally(world.criteria, resets)
  for (const { observation, lineage } of present) direct.record({ ...observation, lineage })
  const expected = JSON.stringify(direct.snapshot())
  for (const one of alive) {
    if ((await one.report()) !== expected)
      wrong.push(`${one.name} reports something else than one process that saw everything.`)
  }
  const beginnings = new Set(alive.map(({ since }) => since()))
  if (beginnings.size > 1)
    wrong.push(`The replicas do not agree on when the results begin: ${[...beginnings].join(', ')}.`)
  return wrong
}

/** Every call counts once, and every mark of a brownout. */
function usageIsRight(ending: Ending): readonly string[] {
  const { database } = ending.world
  const wrong: string[] = []
  const rows = database.read(
    query('SELECT client, operation, sum(calls) AS calls FROM usage GROUP BY client, operation'),
  )
  const calls = new Map(rows.map((row) => [`${row.client} ${row.operation}`, Number(row.calls)]))
  const present = presentOf<MarkedCall>(
    ending,
    ({ used }) => used,
    ({ client, operation }) => calls.has(`${client} ${operation}`),
    ({ client }, { name }) => wrong.push(`The call of ${client}, which ${name} had stored, is missing.`),
  )
  const expected = new Map(present.map(({ client, operation }) => [`${client} ${operation}`, 1]))
  for (const { operation } of present) add(expected, `${BUSY_CLIENT} ${operation}`)
  for (const key of new Set([...calls.keys(), ...expected.keys()])) {
    const [counted, right] = [calls.get(key) ?? 0, expected.get(key) ?? 0]
    if (counted !== right) wrong.push(`The calls of ${key} count ${counted} times instead of ${right}.`)
  }
  const marks = new Map<string, number>()
  for (const { part, doc } of database.read(documentsAfter(MARKS, 0))) {
    for (const [mark, count] of Object.entries(doc[BROWNOUT] ?? {})) {
      if (count > 0) marks.set(`${part} ${mark}`, (marks.get(`${part} ${mark}`) ?? 0) + count)
    }
  }
  const marked = new Map<string, number>()
  for (const { client, mark } of present) {
    for (const whose of [client, BUSY_CLIENT]) add(marked, `${whose} ${mark}`)
  }
  for (const key of new Set([...marks.keys(), ...marked.keys()])) {
    const [counted, right] = [marks.get(key) ?? 0, marked.get(key) ?? 0]
    if (counted !== right) wrong.push(`The brownout marks of ${key} count ${counted} times instead of ${right}.`)
  }
  return wrong
}

const add = (sums: Map<string, number>, key: string): void => void sums.set(key, (sums.get(key) ?? 0) + 1)

/** Every login is stored, and every replica has learnt it. */
function loginsAreRight(ending: Ending): readonly string[] {
  const wrong: string[] = []
  const stored = new Map(ending.world.database.read(documentsAfter(LOGIN, 0)).map(({ key, doc }) => [key, doc]))
  presentOf(
    ending,
    ({ logins }) => logins,
    ({ hash, client }) => stored.get(hash) === client,
    ({ hash }, { name }) => wrong.push(`The login ${hash}, which ${name} had stored, is missing.`),
  )
  for (const { name, learnt } of ending.alive) {
    const unknown = [...stored].filter(([hash, client]) => learnt.get(hash) !== client)
    if (unknown.length > 0) wrong.push(`${name} has not learnt the login ${unknown[0]?.[0]}.`)
  }
  return wrong
}

/** Every answer of a plan's step counts once. */
function answersAreRight({ world, all, alive }: Ending): readonly string[] {
  const wrong: string[] = []
  const { stages } = world.database.read(readPositions())
  const stored = new Map(world.database.read(documentsAfter(ANSWERS, 0)).map(({ key, doc }) => [key, doc]))
  for (const { operation, stage, before } of stages) {
    for (const one of new Set([stage, before])) {
      const key = answersKey({ operation, stage: one })
      const doc = stored.get(key)
      const times = [...(doc?.v1.times ?? []), ...(doc?.legacy.times ?? [])]
      for (const process of all) {
        const counted = times.filter(([bucket]) => bucket === process.bucket).reduce((sum, [, often]) => sum + often, 0)
        const own = process.plans.own().find((answered) => answersKey(answered) === key)
        const most = [...(own?.v1.times ?? []), ...(own?.legacy.times ?? [])].reduce((sum, [, often]) => sum + often, 0)
        const least = alive.includes(process) ? most : Math.min(process.answersStored.get(key) ?? 0, most)
        if (counted < least)
          wrong.push(`Of the answers of ${process.name} at ${key}, ${counted} count instead of ${least}.`)
        // A process may have forgotten a stage that still counts for others.
        if (own !== undefined && counted > most) {
          wrong.push(`Of the answers of ${process.name} at ${key}, ${counted} count instead of ${most}.`)
        }
      }
    }
  }
  return wrong
}

/** Returns what is wrong at the end of a history, in plain sentences. */
export async function wrongAtEnd(ending: Ending): Promise<readonly string[]> {
  const { subjects, witness } = ending.world
  const wrong = [...witness.wrong]
  if (subjects.has('evidence')) wrong.push(...(await evidenceIsRight(ending)))
  if (subjects.has('usage')) wrong.push(...usageIsRight(ending))
  if (subjects.has('logins')) wrong.push(...loginsAreRight(ending))
  if (subjects.has('plans')) {
    wrong.push(...answersAreRight(ending))
    for (const id of witness.missing()) wrong.push(`Nobody has received the message ${id}.`)
  }
  return wrong
}
