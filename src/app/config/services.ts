import type { Side } from '../../exchange/exchange.ts'

/** Which of the variables that decide about the services are set, and not empty. */
interface Given {
  readonly V1_BASE_URL?: string | undefined
  readonly LEGACY_BASE_URL?: string | undefined
  readonly SERVE?: string | undefined
}

/** Who answers where the rollout file says nothing. Unless `SERVE` says otherwise, the legacy service if one is configured. */
export const defaultSide = (legacyBaseUrl: URL | undefined, serve: Side | undefined): Side =>
  serve ?? (legacyBaseUrl === undefined ? 'v1' : 'legacy')

/**
 * Returns why calls cannot be served by these services, with the remedy. Without both addresses, the sandbox stands in for both
 * services; it must never stand in for one of them while clients reach the other.
 */
export function missingServices({ V1_BASE_URL: v1, LEGACY_BASE_URL: legacy, SERVE: serve }: Given): readonly string[] {
  if (legacy !== undefined && v1 === undefined) return [V1_IS_MISSING]
  return serve === 'legacy' && v1 !== undefined && legacy === undefined ? [LEGACY_IS_MISSING] : []
}

const V1_IS_MISSING =
  'V1_BASE_URL must be set when LEGACY_BASE_URL is: otherwise the made-up data of the sandbox would stand in for v1. Set it to the address of v1; for a trial, start "legacy-gateway sandbox" and set it to the address that this prints'
const LEGACY_IS_MISSING =
  'SERVE is legacy, but no legacy service is configured: set LEGACY_BASE_URL to its address, or SERVE to v1'
