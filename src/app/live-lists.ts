import { failureOf, isTokenRefused } from '../gateway/errors/translate-error.ts'
import { type ReferenceLists, referenceLists } from '../reference/reference-lists.ts'

/** Lists of which none is kept: each time v1 is asked live. */
export const liveLists = (): ReferenceLists =>
  referenceLists({ ttlMs: 0, staleMs: 0, maxBytes: 1, failureOf, isRefusal: isTokenRefused })
