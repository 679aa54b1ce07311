import { z } from 'zod'

const count = z.int().nonnegative()

/** Exchanges that show one class of difference, and in how many places. */
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
 * What is counted of an operation, as plain data: stored, read again, and added up with what was counted elsewhere. It holds
 * counts, kinds and paths, and never a value of a body. What of it counts is decided when it is looked at.
 */
export const operationCounts = z.object({
  operation: z.string(),
  /** Exchanges without any difference. */
  matched: count,
  failed: count,
  skipped: count,
  classes: z.array(classCounts.readonly()).readonly(),
  /** Exchanges by which classes they show, as places in `classes`. */
  patterns: z.array(z.object({ classes: z.array(count).readonly(), requests: count }).readonly()).readonly(),
  /** Exchanges beyond the patterns that are kept, as they were judged when they came. */
  settled: z.object({ ignored: count, mismatched: count }).readonly(),
  /** Those among them that show a class beyond the ones that are kept, and that counted. */
  unlisted: count,
  /** Exchanges in which the control was asked twice; of these, at which paths whose answers differ. */
  askedTwice: count,
  places: z
    .array(z.object({ of: z.enum(['status', 'body']), path: z.string(), raw: count, noise: count }).readonly())
    .readonly(),
  /** Hashes, of 32 bits, that tell requests apart and say nothing of them. */
  inputs: z.array(count).readonly(),
  /** By line of the mapping: exchanges in which what it says of the answer showed and was so, or was not. */
  assumptions: z
    .array(
      z
        .object({ part: z.string(), legacy: z.string(), change: z.string(), matched: count, differed: count })
        .readonly(),
    )
    .readonly(),
})

export type OperationCounts = Readonly<z.output<typeof operationCounts>>
