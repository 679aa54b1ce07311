import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Operation } from '../mapping/operation.ts'

export const lineage = z
  .object({
    mapping: z.string(),
    v1: z.string().nullable(),
    legacy: z.string().nullable(),
    /** After which reset it counts, ISO 8601; unset: it was never reset. */
    reset: z.string().optional(),
  })
  .readonly()

/**
 * Of which versions a result is: the mapping (12 hex digits of a hash), and what the services say of themselves; null: nothing.
 * Results of one lineage prove nothing of another (docs/decisions/0062).
 */
export type Lineage = z.output<typeof lineage>

/**
 * Counted up when the same mapping gives other answers than before, because a converter changed, or the comparison finds other
 * differences in the same answers: what was proven before proves nothing then.
 */
const CODE_VERSION = 3

/** Returns a text that is equal for equal lineages. */
export const lineageKey = ({ mapping, v1, legacy, reset }: Lineage): string =>
  JSON.stringify([mapping, v1, legacy, ...(reset === undefined ? [] : [reset])])

/**
 * Returns a hash of all that a mapping says, with its converters by name and without what is only shown to people, and of
 * `CODE_VERSION`.
 */
export function mappingHash({ says: _, example: __, ...mapping }: Partial<Operation>): string {
  const text = JSON.stringify(mapping, (_, value: unknown) =>
    typeof value === 'function' ? value.name : value instanceof RegExp ? value.source : value,
  )
  return shortHash(`${CODE_VERSION}\n${text}`)
}

/** Returns a hash of all mappings together, whatever their order: gateways with the same one translate alike. */
export const mappingsHash = (mappings: readonly Partial<Operation>[]): string =>
  shortHash(mappings.map(mappingHash).sort().join('\n'))

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
