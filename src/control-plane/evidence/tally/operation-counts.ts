import { z } from 'zod'
import { KINDS, PARTS } from '../diff/difference.ts'
import type { Lineage } from '../lineage.ts'
import { STRATA } from '../observation.ts'
import { checkedCounts } from './checked-writes.ts'
import { CLIENTS_KEPT, HASH_LIMIT, SKETCH_SIZE } from './sketch.ts'

const count = z.int().nonnegative()
const sums = z.record(z.string(), count).readonly()
const hashes = z.array(z.int().min(0).lt(HASH_LIMIT)).max(SKETCH_SIZE).readonly()
const buckets = z.array(z.tuple([z.int(), count]).readonly()).readonly()
const stratum = z.enum(STRATA)

export const lineage: z.ZodType<Lineage> = z
  .object({
    mapping: z.string(),
    v1: z.string().nullable(),
    legacy: z.string().nullable(),
    reset: z.string().optional(),
  })
  .readonly()

/** Exchanges of a stratum: those without any difference, and those judged for good when they were counted. */
const judged = z.object({ matched: count, ignored: count, mismatched: count }).readonly()

/** The exchanges that show a class of difference, and the places in them. */
const classCounts = z.object({
  part: z.enum(PARTS),
  kind: z.enum(KINDS),
  path: z.string(),
  /** Set if only the round trip was checked; unset: both sides were asked. */
  from: z.literal('round trip').optional(),
  /** The change that the class is about, for a kind whose changes are judged one by one. */
  detail: z.string().optional(),
  /** For a change of length; see `Where`. */
  isPure: z.boolean().optional(),
  widenedBy: z.string().optional(),
  /** The members of the mapping's request that the calls send; unset: unknown, or calls of several kinds. */
  sent: z.array(z.string()).readonly().optional(),
  /** The reason of the rule that excused it when the answers were compared. */
  excusedBy: z.string().optional(),
  requests: count,
  count,
  details: sums,
  /** How many of the requests had data that changed between the answers; docs/decisions/0060. */
  drift: count,
  /** In how many of the requests it counted when they were compared; unset: in all where it had not drifted. */
  counting: count.optional(),
  /** The lowest line numbers, in order. */
  lines: z.array(count).readonly(),
  /** When it was first and last seen, in ms since the epoch; null: unknown. */
  since: z.number().nullable().default(null),
  until: z.number().nullable().default(null),
  /** A sketch of the clients that see it: the smallest of their 32-bit hashes, in order. */
  clients: z.array(count).max(CLIENTS_KEPT).readonly().default([]),
})

/** The exchanges that show a change, and what their requests are like; see `Circumstances`. */
const place = z
  .object({
    /** See `circumstanceKey`. */
    key: z.string(),
    requests: count,
    features: sums,
    /** What was wrong with v1's answer, if it was malformed. */
    malformed: sums.default({}),
    /** The clients with the smallest hashes: hash, name and exchanges. */
    clients: z
      .array(z.tuple([count, z.string(), count]).readonly())
      .max(CLIENTS_KEPT)
      .readonly(),
  })
  .readonly()

/**
 * The counts of an operation as plain data, which can be stored and added up. They hold counts, kinds and paths, never values of
 * bodies. Which differences count is decided when a report is made.
 */
export const operationCounts = z.object({
  operation: z.string(),
  lineage,
  failed: count,
  skipped: count,
  /** How often exchanges could not be compared though they should have been, by reason. */
  unjudged: sums,
  /** How often exchanges were skipped, by reason; unset in results that were stored before reasons were. */
  skips: sums.default({}),
  /** Calls that were not selected for comparison, by the share that the rollout file says. */
  notDrawn: count.default(0),
  /** Exchanges that both sides refused alike, and of which nobody knows how they were answered before. */
  refusals: count.default(0),
  /** Exchanges that are judged for good: without differences, with drift only, or beyond the bound on patterns. */
  judged: z.record(stratum, judged).readonly(),
  classes: z.array(classCounts.readonly()).readonly(),
  /** Exchanges by the classes that they show and that did not drift there, as indices into `classes`. */
  patterns: z
    .array(
      z
        .object({
          ...{ stratum, classes: z.array(count).readonly(), requests: count },
          /** Whether no difference counted when they were compared. */
          ignored: z.boolean().default(false),
          /** See `Pattern`; unset: it follows from the classes. */
          id: z.string().optional(),
        })
        .readonly(),
    )
    .readonly(),
  /** How often classes beyond the bound on classes counted. */
  unlisted: count,
  /** The first place beyond the bound on classes, from which on no place is kept; see `placeOf`. */
  beyond: z.string().optional(),
  /** The smallest 32-bit hashes of requests, which tell requests apart and reveal nothing about them. */
  inputs: z.array(count).readonly(),
  /** Sketches of the units whose answers have content, and of those that differed by more than drift. */
  units: hashes,
  differingUnits: hashes,
  /** The number of exchanges that belong to units. */
  unitCalls: count.default(0),
  /** A sketch of the units in which a difference counted when it was compared. */
  countedUnits: hashes.default([]),
  /** What these units show, at the same index: a place in `sets`. See `DifferingUnits`. */
  shownByUnits: z
    .object({
      sets: z.array(z.array(z.string()).readonly()).readonly(),
      differing: z.array(count).readonly(),
      counted: z.array(count).readonly(),
    })
    .readonly()
    .default({ sets: [], differing: [], counted: [] }),
  /** Exchanges by client: a 32-bit hash, and how many. Beyond the bound, the clients with the smallest hashes. */
  clients: z.array(z.tuple([count, count]).readonly()).readonly(),
  /** Whole lists that were called: their ids, their parameters in words, when they were last called, and how often they were compared. */
  lists: z
    .array(z.tuple([z.int().min(0).lt(HASH_LIMIT), z.string(), z.number().nullable(), count]).readonly())
    .readonly()
    .default([]),
  /** When the first and the last compared exchange came, in ms since the epoch; null: none was compared, or it is unknown. */
  since: z.number().nullable(),
  until: z.number().nullable(),
  /** How long both sides took, in buckets of a histogram. */
  durations: z.object({ control: buckets, candidate: buckets }).readonly().default({ control: [], candidate: [] }),
  /** The number of writes whose legacy answer was translated to v1's shape and back. */
  roundTrips: count.default(0),
  /** The number of writes that were compared with the answers of a copy of v1. */
  copied: count.default(0),
  /** Members of writes that would not be carried to v1: the number of writes by path. */
  droppedMembers: sums.default({}),
  /** Writes that were checked without sending them; unset: none was. */
  checked: checkedCounts.optional(),
  /** Per assumed mapping line: how many exchanges confirm it (`matched`), and how many differ there (`differed`). */
  assumptions: z
    .array(
      z
        .object({ part: z.string(), legacy: z.string(), change: z.string(), matched: count, differed: count })
        .readonly(),
    )
    .readonly(),
  /** Per mapping line that was shown: how many exchanges showed it, and in how many of them the answers differed there. */
  coverage: z
    .array(z.object({ part: z.string(), legacy: z.string(), requests: count, differed: count }).readonly())
    .readonly()
    .default([]),
  /** Who shows which difference, and what their requests are like. */
  circumstances: z
    .object({ requests: count, features: sums, places: z.array(place).readonly() })
    .readonly()
    .default({ requests: 0, features: {}, places: [] }),
  /** What requests had and v1 did not get: the number of exchanges, and a sketch of the clients. */
  notSent: z
    .array(
      z
        .object({
          part: z.enum(['request', 'value', 'other']),
          legacy: z.string(),
          requests: count,
          clients: z.array(count).max(CLIENTS_KEPT).readonly(),
        })
        .readonly(),
    )
    .readonly()
    .default([]),
})

export type OperationCounts = Readonly<z.output<typeof operationCounts>>
