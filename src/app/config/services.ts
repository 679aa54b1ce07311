import type { Side } from '../../exchange/exchange.ts'
import { mistypedFormOf, type SimilarName } from './similar-names.ts'

/** The variables that are set, and not empty. */
type Given = Readonly<Record<string, string | undefined>>

/** Who answers where the rollout file says nothing. Unless `SERVE` says otherwise, the legacy service if one is configured. */
export const defaultSide = (legacyBaseUrl: URL | undefined, serve: Side | undefined): Side =>
  serve ?? (legacyBaseUrl === undefined ? 'v1' : 'legacy')

/**
 * Returns why calls cannot be served by these services, with the remedy. Without both addresses, the sandbox stands in for both
 * services; it must never stand in for one of them while clients reach the other.
 */
export function missingServices(set: Given): readonly string[] {
  const { V1_BASE_URL: v1, LEGACY_BASE_URL: legacy, SERVE: serve } = set
  const mistyped = ADDRESSES.flatMap((wanted) => {
    const name = mistypedFormOf(wanted, set)
    return name === undefined
      ? []
      : [`${wanted} is not set, but ${name} is, which the gateway does not read: rename it`]
  })
  if (mistyped.length > 0) return mistyped
  if (legacy !== undefined && v1 === undefined) return [V1_IS_MISSING]
  return serve === 'legacy' && v1 !== undefined && legacy === undefined ? [LEGACY_IS_MISSING] : []
}

const ADDRESSES = ['V1_BASE_URL', 'LEGACY_BASE_URL']

/** Says that a variable is not read, and which was perhaps meant. */
export const notRead = ({ name, similar }: SimilarName): string =>
  `${name} is no variable of the gateway, and not read; similar: ${similar.join(', ')}`

const V1_IS_MISSING =
  'V1_BASE_URL must be set when LEGACY_BASE_URL is: otherwise the made-up data of the sandbox would stand in for v1. Set it to the address of v1; for a trial, start "legacy-gateway sandbox" and set it to the address that this prints'
const LEGACY_IS_MISSING =
  'SERVE is legacy, but no legacy service is configured: set LEGACY_BASE_URL to its address, or SERVE to v1'
