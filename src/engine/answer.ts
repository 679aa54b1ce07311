import { isUtf8 } from 'node:buffer'
import { JsonError, skipValue } from './json-scan.ts'
import { endOfText, startOfText, textOf, typeAt, walkObject } from './json-walk.ts'
import type { ValuePlan } from './plan.ts'
import { Rewriter } from './rewrite.ts'
import { PromiseError, type RewriteOptions } from './rewrite-options.ts'

/** The counts of a v1 page; whole numbers, not negative. */
export interface PageMeta {
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly pageCount: number
}

/** Rows of one v1 page in the legacy shape: JSON with commas between them and no brackets. */
export interface PageRows {
  readonly rows: Uint8Array
  readonly count: number
  readonly meta: PageMeta
}

/** Which rows of a page are wanted. */
export interface Slice {
  readonly skip: number
  readonly take: number
}

export const ALL_ROWS: Slice = { skip: 0, take: Number.POSITIVE_INFINITY }

/**
 * v1's record (`data`) in the legacy shape.
 * @throws JsonError, PromiseError when the answer is not what the contract promises.
 */
export function rewriteRecord(plan: ValuePlan, json: Uint8Array, options?: RewriteOptions): Buffer {
  return rewriteMember('data', 'object', plan, json, options)
}

/** v1's list (`items`) as a root array in the legacy shape. Throws as `rewriteRecord` does. */
export function rewriteList(plan: ValuePlan, json: Uint8Array, options?: RewriteOptions): Buffer {
  return rewriteMember('items', 'array', plan, json, options)
}

function rewriteMember(
  name: 'data' | 'items',
  type: 'object' | 'array',
  plan: ValuePlan,
  json: Uint8Array,
  options?: RewriteOptions,
): Buffer {
  let written: Buffer | undefined
  walkEnvelope(json, (member, at) => {
    if (member !== name) return undefined
    mustBe(json, at, type, name)
    const rewriter = new Rewriter(json, expectedLength(json), options)
    const end = rewriter.value(plan, at)
    written = rewriter.finish()
    return end
  })
  if (written === undefined) throw new PromiseError('the answer', name)
  return written
}

/** Rows of a v1 page (`items` and `meta`) in the legacy shape. `plan` is that of one row. Throws as `rewriteRecord` does. */
export function rewriteRows(plan: ValuePlan, json: Uint8Array, slice: Slice, options?: RewriteOptions): PageRows {
  let rows: { readonly bytes: Uint8Array; readonly count: number } | undefined
  let meta: PageMeta | undefined
  walkEnvelope(json, (member, at) => {
    if (member === 'items') {
      mustBe(json, at, 'array', member)
      const rewriter = new Rewriter(json, expectedLength(json), options)
      const { end, written } = rewriter.rows(plan, at, slice.skip, slice.take)
      rows = { bytes: rewriter.finish(), count: written }
      return end
    }
    if (member !== 'meta') return undefined
    mustBe(json, at, 'object', member)
    const end = skipValue(json, at)
    meta = readMeta(textOf(json, at, end))
    return end
  })
  if (rows === undefined) throw new PromiseError('the answer', 'items')
  if (meta === undefined) throw new PromiseError('the answer', 'meta')
  return { rows: rows.bytes, count: rows.count, meta }
}

/** Checks an answer of which only the success counts. Throws as `rewriteRecord` does. */
export function checkAcknowledged(json: Uint8Array): void {
  walkEnvelope(json, () => undefined)
}

/** Walks v1's success envelope; `visit` takes a member over by returning where its value ends. */
function walkEnvelope(json: Uint8Array, visit: (name: string, at: number) => number | undefined): void {
  const start = startOfText(json)
  if (json.length === start || !isUtf8(json)) throw new JsonError(start)
  mustBe(json, start, 'object', 'the answer')
  const end = walkObject(json, start, (name, at) => {
    const valueEnd = visit(name, at) ?? skipValue(json, at)
    if (name === 'success' && textOf(json, at, valueEnd) !== 'true') throw new PromiseError('the answer', 'success')
    return valueEnd
  })
  endOfText(json, end)
}

function mustBe(json: Uint8Array, at: number, type: 'object' | 'array', where: string): void {
  if (typeAt(json, at) === type) return
  skipValue(json, at)
  throw new PromiseError(where, type)
}

function readMeta(text: string): PageMeta {
  const meta = JSON.parse(text) as Record<keyof PageMeta, unknown>
  const count = (name: keyof PageMeta): number => {
    const value = meta[name]
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw new PromiseError(`meta.${name}`, 'count')
    return value as number
  }
  return { page: count('page'), perPage: count('perPage'), total: count('total'), pageCount: count('pageCount') }
}

/** Legacy answers are a little longer than v1's (an offset in place of a Z, an object around a code). */
const expectedLength = (json: Uint8Array): number => json.length + (json.length >> 3)
