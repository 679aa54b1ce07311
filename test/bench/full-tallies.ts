import { Pool } from 'undici'
import { operations } from '../../mappings/index.ts'
import { addEntry } from '../../src/control-plane/cutover/store/stored-decisions.ts'
import { mappingHash } from '../../src/control-plane/evidence/lineage.ts'
import { BOUNDS } from '../../src/control-plane/evidence/tally/bounds.ts'
import { COUNTED_KEPT } from '../../src/control-plane/evidence/tally/differing-units.ts'
import { EVIDENCE, evidenceDelta } from '../../src/control-plane/evidence/tally/evidence-db.ts'
import type { OperationCounts } from '../../src/control-plane/evidence/tally/operation-counts.ts'
import { CLIENTS_KEPT, SKETCH_SIZE } from '../../src/control-plane/evidence/tally/sketch.ts'
import { addDocuments } from '../../src/control-plane/store/ledger.ts'
import { sqliteEngine } from '../../src/control-plane/store/sqlite-engine.ts'
import { usageStore } from '../../src/control-plane/usage/store/usage-store-on.ts'
import { NOTHING_SEEN, type UsageRow } from '../../src/control-plane/usage/usage.ts'

/*
 * Fills the memory of a gateway to its limits: the counts of traffic by real calls, the results of comparing by a state
 * file. The pages about them, and a rollout file with thousands of entries, are then as large as possible.
 */

const ids = operations.map(({ id }) => id)
const upTo = <T>(count: number, each: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => each(i))

const KINDS = ['missing', 'extra', 'type', 'changed', 'order', 'length'] as const
/** The number of classes in a pattern: answers that differ in more places at once are rare. */
const CLASSES_OF_PATTERN = 20
/** How many different sets of patterns the units show. */
const UNIT_SETS = 500

/** As many places as are kept, none of them covered by a mapping or a rule. */
const pathOf = (index: number): string => `data[].member${index}.inner[].x`

const judged = { matched: 1_000, ignored: 10, mismatched: 10 }

const features = (most: number): Record<string, number> =>
  Object.fromEntries(upTo(most, (index) => [`4 header x-header-${index}`, 1_000]))

function fullCounts(operation: string): OperationCounts {
  const details = Object.fromEntries(upTo(BOUNDS.details, (index) => [`string → kind${index}`, 1]))
  return {
    lineage: { mapping: mappingHash(operations.find(({ id }) => id === operation) ?? {}), v1: null, legacy: null },
    ...{ operation, failed: 10, skipped: 10, unlisted: 0, assumptions: [] },
    coverage: upTo(40, (index) => ({ part: 'answer', legacy: pathOf(index), requests: 1_000, differed: 10 })),
    ...{
      roundTrips: 0,
      droppedMembers: Object.fromEntries(upTo(BOUNDS.droppedMembers, (index) => [pathOf(index), 1])),
    },
    circumstances: {
      requests: 10_000,
      features: features(200),
      places: upTo(60, (index) => ({
        ...{ key: `changed ${pathOf(index)}\t\t`, requests: 1_000, features: features(40), malformed: {} },
        clients: upTo(CLIENTS_KEPT, (client) => [client, `client-${client}`, 1] as const),
      })),
    },
    notSent: upTo(BOUNDS.notSent, (index) => ({
      ...{ part: 'request' as const, legacy: pathOf(index), requests: 1_000 },
      clients: upTo(CLIENTS_KEPT, (client) => client),
    })),
    ...{ skips: {}, notDrawn: 0, refusals: 0, unitCalls: 0 },
    lists: upTo(BOUNDS.lists, (list) => [list, 'code, search (tr)', Date.now(), 1] as const),
    unjudged: Object.fromEntries(upTo(BOUNDS.reasons, (index) => [`control: ${index}`, 1])),
    judged: { content: judged, empty: judged, error: judged },
    classes: upTo(BOUNDS.classes, (index) => ({
      ...{
        part: index % 2 === 0 ? ('answer' as const) : ('error' as const),
        kind: KINDS[index % KINDS.length] ?? 'changed',
      },
      ...{ path: pathOf(index), requests: 3, count: 4, drift: 1, details: index % KINDS.length === 2 ? details : {} },
      lines: upTo(BOUNDS.lines, (line) => line),
      clients: upTo(CLIENTS_KEPT, (client) => client),
      ...{ since: Date.now() - 86_400_000, until: Date.now() },
    })),
    patterns: upTo(BOUNDS.patterns, (index) => ({
      stratum: 'content',
      classes: upTo(CLASSES_OF_PATTERN, (offset) => (index + offset) % BOUNDS.classes),
      requests: 1,
      ignored: false,
    })),
    inputs: upTo(BOUNDS.inputs, (index) => index),
    units: upTo(SKETCH_SIZE, (index) => index * 1_000_003),
    differingUnits: upTo(SKETCH_SIZE, (index) => index * 1_000_003),
    countedUnits: upTo(COUNTED_KEPT, (index) => index * 1_000_003),
    shownByUnits: {
      sets: upTo(UNIT_SETS, (index) => [`+${String(index).padStart(30, '0')}`]),
      differing: upTo(SKETCH_SIZE, (index) => index % UNIT_SETS),
      counted: upTo(COUNTED_KEPT, (index) => index % UNIT_SETS),
    },
    clients: upTo(BOUNDS.clients, (index) => [index, 5] as const),
    durations: {
      control: upTo(150, (index) => [index, 9] as const),
      candidate: upTo(150, (index) => [index, 9] as const),
    },
    ...{ since: Date.now() - 86_400_000, until: Date.now() },
  }
}

/** Makes a state file with results of every operation. */
export async function writeFullState(path: string): Promise<void> {
  const engine = sqliteEngine({ path, holder: 'benchmark' })
  await engine.transaction((now) => addDocuments(EVIDENCE, ids.map(fullCounts).map(evidenceDelta), now))
  engine.close()
}

const USERS = 10_000
const USED = 4
const WEEKS = 4
/** What a portion may have. */
const PORTION = 5_000
const WEEK_MS = 7 * 86_400_000

/** Adds as many clients to a state file as usage tells apart, each with a few operations on one day of some weeks. */
export async function writeFullUsage(path: string): Promise<void> {
  const engine = sqliteEngine({ path, holder: 'benchmark' })
  const log = { warn: () => undefined }
  const usage = usageStore({ engine, process: 'benchmark', log })
  let number = 0
  for (let week = WEEKS - 1; week >= 0; week--) {
    const at = new Date(Date.now() - week * WEEK_MS).toISOString()
    const row = (index: number): UsageRow => ({
      ...{ day: at.slice(0, 10), client: `user-${Math.floor(index / USED)}`, operation: ids[index % USED] ?? '' },
      ...{ calls: 20 + (index % 7), clientErrors: 3, serverErrors: 0, byV1: 20, byLegacy: 0 },
      ...{ firstAt: at, lastAt: at, agents: ['GuzzleHttp/7'], seen: NOTHING_SEEN },
    })
    for (let from = 0; from < USERS * USED; from += PORTION) {
      await usage.add({ number: ++number, rows: upTo(PORTION, (index) => row(from + index)) })
    }
  }
  engine.close()
}

const ROLLOUTS = 3_000
const WHY = 'invoice-list: clients.somebody legacy → v1; '.repeat(360)

/** Adds to a state file the audit of a year in which the rollout file changed eight times a day, each time in 16 KB. */
export async function writeLongAudit(path: string): Promise<void> {
  const engine = sqliteEngine({ path, holder: 'benchmark' })
  await engine.transaction(function* (now) {
    for (let index = 0; index < ROLLOUTS; index++) {
      const at = new Date(now.getTime() - (index / 8) * 86_400_000)
      const versions = { from: `version ${index}`, to: `version ${index + 1}` }
      const who = { operation: '*', by: 'auto', lineage: '{}', counts: '{}' }
      yield* addEntry({ id: `change ${index}`, event: 'rollout-changed', ...versions, ...who, why: WHY }, at)
    }
  })
  engine.close()
}

/** Rules that excuse nothing of the full results. */
export const manyRules = (count: number) =>
  upTo(count, (index) => ({ operation: '*', path: `data[].ignored${index}.x`, why: 'it moves' }))

/** A rollout file with this many clients of each operation, and this many rules; `shadow` distinguishes versions. */
export function largeRollout(clients: number, rules: number, shadow: number): string {
  const sides = Object.fromEntries(upTo(clients, (index) => [`client-${index}`, 'v1']))
  return JSON.stringify({
    operations: Object.fromEntries(ids.map((id) => [id, { shadow, clients: sides }])),
    ignore: manyRules(rules),
  })
}

const CLIENTS = 1_000
const MINUTES = 180
/** How many pairs of operation and client are counted separately in one minute. */
const PAIRS = 300
const AT_ONCE = 32

/**
 * Calls as a thousand clients, every operation in turn, for three hours of a clock that `leap` advances by a minute.
 */
export async function fillTraffic(url: string, leap: () => Promise<unknown>): Promise<void> {
  const pool = new Pool(url, { connections: AT_ONCE })
  let pair = 0
  const call = async (): Promise<void> => {
    const number = pair++
    const { method, path } = operations[Math.floor(number / CLIENTS) % operations.length]?.legacy ?? {
      method: 'GET',
      path: '/',
    }
    const authorization = `Bearer a-token-of-client-${number % CLIENTS}`
    const { body } = await pool.request({
      method,
      path,
      headers: { authorization },
      body: method === 'GET' ? null : '{}',
    })
    await body.dump()
  }
  try {
    // A token counts as a client once a list that needs one was answered.
    const first = operations.findIndex(({ id, authorization }) => authorization === 'token' && id.endsWith('list'))
    pair = first * CLIENTS
    for (let minute = 0; minute < MINUTES; minute++) {
      for (let made = 0; made < PAIRS; made += AT_ONCE) {
        await Promise.all(upTo(Math.min(AT_ONCE, PAIRS - made), call))
      }
      if (minute < MINUTES - 1) await leap()
    }
  } finally {
    await pool.close()
  }
}
