import type { Logger } from 'pino'
import { mayBePublished } from '../gateway/published-address.ts'

/** Returns the address of v1 for clients; undefined, with a warning, if only an internal address is configured. */
export function publishedV1(v1PublicUrl: URL | undefined, v1: URL, log: Logger): URL | undefined {
  if (v1PublicUrl !== undefined || mayBePublished(v1)) return v1PublicUrl ?? v1
  log.warn(
    'V1_BASE_URL is not an address that clients can reach: answers carry no Link to v1 until V1_PUBLIC_URL is set',
  )
  return undefined
}
