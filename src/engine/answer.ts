import { mustBe, walkEnvelope } from './envelope.ts'
import { type PageMeta, readMeta } from './page-meta.ts'
import { isNameAt, type Key, readyKey } from './rewrite/key.ts'
import type { ValuePlan } from './rewrite/plan.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import { PromiseError, type RewriteOptions } from './rewrite/rewrite-options.ts'

export type { PageMeta } from './page-meta.ts'

/** Rows of one v1 page in the legacy shape: JSON, separated by commas, without brackets. */
export interface PageRows {
  readonly rows: Uint8Array
  readonly count: number
  readonly meta: PageMeta
}

/** The rows to take from a page. */
export interface Slice {
  readonly skip: number
  readonly take: number
}

export const ALL_ROWS: Slice = { skip: 0, take: Number.POSITIVE_INFINITY }

const NO_ROWS = new Uint8Array()

const DATA = readyKey('data')
const ITEMS = readyKey('items')
const META = readyKey('meta')

/**
 * Rewrites v1's record (`data`) into the legacy shape.
 * @throws JsonError, PromiseError if the answer is not what the contract promises.
 */
export function rewriteRecord(plan: ValuePlan, json: Uint8Array, options?: RewriteOptions): Buffer {
  return rewriteMember(DATA, 'object', plan, json, options)
}

/** Rewrites v1's list (`items`) into a root array in the legacy shape. Throws like `rewriteRecord`. */
export function rewriteList(plan: ValuePlan, json: Uint8Array, options?: RewriteOptions): Buffer {
  return rewriteMember(ITEMS, 'array', plan, json, options)
}

function rewriteMember(
  key: Key,
  type: 'object' | 'array',
  plan: ValuePlan,
  json: Uint8Array,
  options?: RewriteOptions,
): Buffer {
  let written: Buffer | undefined
  walkEnvelope(json, (keyAt, keyEnd, at) => {
    if (!isNameAt(key, json, keyAt, keyEnd)) return undefined
    mustBe(json, at, type, key.name)
    const rewriter = new Rewriter(json, expectedLength(json), options)
    const end = rewriter.value(plan, at)
    written = rewriter.finish()
    return end
  })
  if (written === undefined) throw new PromiseError('the answer', key.name)
  return written
}

/**
 * Rewrites rows of a v1 page (`items` and `meta`) into the legacy shape. `plan` is for one row. Throws like
 * `rewriteRecord`.
 */
export function rewriteRows(plan: ValuePlan, json: Uint8Array, slice: Slice, options?: RewriteOptions): PageRows {
  let rows: Uint8Array = NO_ROWS
  const { count, meta } = walkPage(json, (at) => {
    const rewriter = new Rewriter(json, expectedLength(json), options)
    const written = rewriter.rows(plan, at, slice.skip, slice.take)
    rows = rewriter.finish()
    return written
  })
  return { rows, count, meta }
}

/**
 * Walks a v1 page. Calls `write` with the start of the array of rows; it returns the end of the array and the number of rows
 * written. Of two such arrays, the last one counts. Throws like `rewriteRecord`.
 */
export function walkPage(
  json: Uint8Array,
  write: (at: number) => { readonly end: number; readonly written: number },
): { readonly count: number; readonly meta: PageMeta } {
  let count: number | undefined
  let meta: PageMeta | undefined
  walkEnvelope(json, (keyAt, keyEnd, at) => {
    if (isNameAt(ITEMS, json, keyAt, keyEnd)) {
      mustBe(json, at, 'array', ITEMS.name)
      const { end, written } = write(at)
      count = written
      return end
    }
    if (!isNameAt(META, json, keyAt, keyEnd)) return undefined
    mustBe(json, at, 'object', META.name)
    const read = readMeta(json, at)
    meta = read.meta
    return read.end
  })
  if (count === undefined) throw new PromiseError('the answer', ITEMS.name)
  if (meta === undefined) throw new PromiseError('the answer', META.name)
  return { count, meta }
}

/** Checks the envelope of an answer whose content is not used. Throws like `rewriteRecord`. */
export function checkAcknowledged(json: Uint8Array): void {
  walkEnvelope(json, () => undefined)
}

/** Estimates the length of the legacy answer: a little longer than v1's (an offset for a Z, an object around a code). */
export const expectedLength = (json: Uint8Array): number => json.length + (json.length >> 3)
