import { createHash } from 'node:crypto'
import { BY_THE_FILE } from '../../mapping/corrections/left-out.ts'
import type { Operation } from '../../mapping/operation.ts'

/** The versions that a result belongs to. Results of one lineage prove nothing about another (docs/decisions/0062). */
export interface Lineage {
  /** 12 hex digits of a hash; see `mappingHash`. */
  readonly mapping: string
  /** The releases that the services report; null: none. */
  readonly v1: string | null
  readonly legacy: string | null
  /** The reset that the results follow, ISO 8601; unset: the operation was never reset. */
  readonly reset?: string | undefined
}

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
export function mappingHash({ says: _, example: __, corrections, ...mapping }: Partial<Operation>): string {
  const lines = corrections && { corrections: { response: corrections.response, request: corrections.request } }
  const text = JSON.stringify({ ...mapping, ...lines }, (_, value: unknown) => {
    if (typeof value === 'function') return value.name
    if (value instanceof RegExp) return value.source
    if (typeof value === 'string' && value.startsWith(BY_THE_FILE)) return BY_THE_FILE
    return isCorrected(value) ? CORRECTED : value
  })
  return shortHash(`${CODE_VERSION}\n${text}`)
}

/** Returns a hash of all mappings, in any order. Gateways with the same hash translate alike. */
export const mappingsHash = (mappings: readonly Partial<Operation>[]): string =>
  shortHash(mappings.map(mappingHash).sort().join('\n'))

const CORRECTED = 'corrected'

const isCorrected = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === CORRECTED

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
