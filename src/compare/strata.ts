import type { ResponseMapping } from '../mapping/operation.ts'
import { isObject, type JsonValue } from './diff/json-value.ts'

/**
 * What the control's answer shows: `content`, a success with at least one row, item or member beyond the envelope; `empty`, a
 * success without; or an `error`. Only content proves that answers match.
 */
export type Stratum = 'content' | 'empty' | 'error'
export const STRATA: readonly Stratum[] = ['content', 'empty', 'error']

/** @param json undefined: the answer has no body, or one that is not JSON; a success then counts as content. */
export function stratumOf(
  { status, json }: { readonly status: number; readonly json: JsonValue | undefined },
  response: ResponseMapping,
): Stratum {
  if (status >= 400) return 'error'
  if (json === undefined) return 'content'
  const rows = response.kind === 'page' && isObject(json) ? json[response.rows.at] : json
  return hasContent(rows ?? null) ? 'content' : 'empty'
}

function hasContent(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.values(value).some(hasContent) : value !== null
}
