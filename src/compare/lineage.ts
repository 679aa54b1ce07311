import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Operation } from '../mapping/operation.ts'

export const lineage = z
  .object({
    mapping: z.string(),
    v1: z.string().nullable(),
    legacy: z.string().nullable(),
    /** The reset that the results follow, ISO 8601; unset: the operation was never reset. */
    reset: z.string().optional(),
  })
  .readonly()

/**
 * The versions that a result belongs to: the mapping (12 hex digits of a hash), and the releases that the services report; null:
 * the service reports none. Results of one lineage prove nothing about another (docs/decisions/0062).
 */
export type Lineage = z.output<typeof lineage>

/**
 * Increase this when the same mapping gives different answers because a converter changed, or when the comparison finds different
 * differences in the same answers: earlier results then prove nothing.
 */
const CODE_VERSION = 6

/** Returns a text that is equal for equal lineages. */
export const lineageKey = ({ mapping, v1, legacy, reset }: Lineage): string =>
  JSON.stringify([mapping, v1, legacy, ...(reset === undefined ? [] : [reset])])

/**
 * Returns a hash of a mapping and `CODE_VERSION`. It includes converters by name, and leaves out texts that are only shown to
 * people.
 */
export function mappingHash({ says: _, example: __, ...mapping }: Partial<Operation>): string {
  const text = JSON.stringify(mapping, (_, value: unknown) =>
    typeof value === 'function' ? value.name : value instanceof RegExp ? value.source : value,
  )
  return shortHash(`${CODE_VERSION}\n${text}`)
}

/** Returns a hash of all mappings, in any order. Gateways with the same hash translate alike. */
export const mappingsHash = (mappings: readonly Partial<Operation>[]): string =>
  shortHash(mappings.map(mappingHash).sort().join('\n'))

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
