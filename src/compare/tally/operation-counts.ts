import { z } from 'zod'

const count = z.int().nonnegative()

/** The exchanges that show a class of difference, and the places in them. */
const classCounts = z.object({
  part: z.enum(['status', 'answer', 'error']),
  kind: z.enum(['status', 'missing', 'extra', 'type', 'changed', 'order', 'length']),
  path: z.string(),
  requests: count,
  count,
  details: z.record(z.string(), count).readonly(),
  /** The lowest line numbers, in order. */
  lines: z.array(count).readonly(),
})

/**
 * The counts of an operation as plain data, which can be stored and added up. They hold counts, kinds and paths, and never a
 * value of a body. Which differences count is decided when a report is made.
 */
export const operationCounts = z.object({
  operation: z.string(),
  /** Exchanges without any difference. */
  matched: count,
  failed: count,
  skipped: count,
  classes: z.array(classCounts.readonly()).readonly(),
  /** Exchanges by the classes that they show, as indices into `classes`. */
  patterns: z.array(z.object({ classes: z.array(count).readonly(), requests: count }).readonly()).readonly(),
  /** Exchanges beyond the bound on patterns, judged for good when they were counted. */
  settled: z.object({ ignored: count, mismatched: count }).readonly(),
  /** The mismatched ones among them that show a class beyond the bound on classes. */
  unlisted: count,
  /** Exchanges whose control was asked twice; `places`: the paths at which their answers differ. */
  askedTwice: count,
  places: z
    .array(z.object({ of: z.enum(['status', 'body']), path: z.string(), raw: count, noise: count }).readonly())
    .readonly(),
  /** 32-bit hashes that tell requests apart and reveal nothing about them. */
  inputs: z.array(count).readonly(),
  /** Per assumed mapping line: exchanges that confirm it (`matched`), and exchanges that differ there (`differed`). */
  assumptions: z
    .array(
      z
        .object({ part: z.string(), legacy: z.string(), change: z.string(), matched: count, differed: count })
        .readonly(),
    )
    .readonly(),
})

export type OperationCounts = Readonly<z.output<typeof operationCounts>>
