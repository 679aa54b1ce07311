import type { Logger } from 'pino'
import { type TokenSealer, tokenSealer } from '../data-plane/gateway/login/sealed-token.ts'
import { throttleReport } from '../observe/throttle-report.ts'

/**
 * Returns what seals tokens with `key`, and opens tokens that were sealed with any of `keys`. Undefined: there are no keys
 * and no legacy service, so no token is sealed.
 */
export function openSealer(
  keys: readonly Uint8Array[],
  key: Uint8Array,
  hasLegacy: boolean,
  log: Logger,
): TokenSealer | undefined {
  const onLarge = throttleReport<number>((logins, headerBytes) => {
    log.warn({ logins, headerBytes }, LARGE_TOKEN)
  }, LARGE_TOKEN_EVERY_MS)
  if (keys.length > 0) return tokenSealer([key, ...keys.slice(1)], onLarge)
  if (!hasLegacy) return undefined
  log.warn('TOKEN_KEY is not set: tokens that are issued now are invalid after a restart, and at other replicas')
  return tokenSealer([key], onLarge)
}

const LARGE_TOKEN =
  'a login issued a token that makes an Authorization header of more than 8 KB: have v1 and the legacy service issue shorter tokens, or raise the header limits of clients and proxies; above 16 KB for all headers the gateway itself answers 431, unless Node.js is started with --max-http-header-size'
const LARGE_TOKEN_EVERY_MS = 60_000
