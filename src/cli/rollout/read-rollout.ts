import { readFileSync } from 'node:fs'
import { operations } from '../../../mappings/index.ts'
import type { RolloutConfig } from '../../app/command-config.ts'
import { keepsState } from '../../app/open-store.ts'
import { rolloutParser } from '../../app/rollout-parser.ts'
import type { Rollout } from '../../compare/rollout/rollout.ts'

/** Thrown if the file cannot be read at all. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Whether a legacy service can answer operations, as `serve` decides it: the sandbox has one too. */
export const hasLegacy = ({ v1BaseUrl, legacyBaseUrl }: RolloutConfig): boolean =>
  legacyBaseUrl !== undefined || v1BaseUrl === undefined

/** Says who answers where the file says nothing, as `serve` decides it with this configuration, and why. */
export function byDefault({ legacyBaseUrl, serve }: RolloutConfig): string {
  const isSet = legacyBaseUrl !== undefined
  const isDefault = (serve === 'legacy') === isSet
  const why = isDefault ? `LEGACY_BASE_URL is ${isSet ? '' : 'not '}set here` : 'SERVE says so'
  return `Where the file does not say who answers, ${serve} does: ${why}.`
}

/**
 * Reads a rollout file as `serve` would with this configuration.
 * @throws UnreadableError, or RolloutError that lists every mistake.
 */
export function readRollout(path: string, config: RolloutConfig): Rollout {
  const there = { hasLegacy: hasLegacy(config), isKept: keepsState(config), serve: config.serve }
  return rolloutParser(operations, there)(textOf(path))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new UnreadableError(`${path} cannot be read (${why})`, { cause: error })
  }
}
