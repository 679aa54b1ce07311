import { failureOf, isTokenRefused } from '../gateway/errors/translate-error.ts'
import { type ReferenceLists, referenceLists } from '../reference/reference-lists.ts'

/** Returns lists that are never cached: v1 is asked live each time. */
export const liveLists = (): ReferenceLists =>
  referenceLists({ ttlMs: 0, staleMs: 0, maxBytes: 1, failureOf, isRefusal: isTokenRefused })
