import { ITEMS, mustBe, type PageMeta, walkEnvelope, walkPage } from './envelope.ts'
import { viewOf } from './json/scan-json.ts'
import { skipValue, walkItems } from './json/walk-json.ts'
import { isNameAt, type Key, keyOf, readyKey } from './rewrite/key.ts'
import { Rewriter } from './rewrite/rewrite.ts'
import { PromiseError, type RewriteOptions, type ValuePlan } from './rewrite/rewrite-plan.ts'
import { type Piece, pieceOf } from './rewrite/run-writer.ts'

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

const DATA = readyKey('data')

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
  const { written, meta } = walkPage(json, (at) => {
    const rewriter = new Rewriter(json, expectedLength(json), options)
    const { end, count } = writeRows(rewriter, plan, json, at, slice)
    return { end, count, rows: rewriter.finish() }
  })
  return { rows: written.rows, count: written.count, meta }
}

/** Writes some of the rows of the array at `at`, separated by commas, without brackets. Returns its end, and how many rows are written. */
function writeRows(
  rewriter: Rewriter,
  plan: ValuePlan,
  json: Uint8Array,
  at: number,
  { skip, take }: Slice,
): { readonly end: number; readonly count: number } {
  const { out } = rewriter
  let count = 0
  let before = at + 1
  const end = walkItems(viewOf(json), at, json.length, (rowAt, index) => {
    if (index < skip || count === take) {
      out.cut(before)
      before = skipValue(json, rowAt)
    } else {
      out.resume(rowAt)
      before = rewriter.continue(plan, rowAt)
      count++
    }
    return before
  })
  out.cut(before)
  return { end, count }
}

/** Checks the envelope of an answer whose content is not used. Throws like `rewriteRecord`. */
export function checkAcknowledged(json: Uint8Array): void {
  walkEnvelope(json, () => undefined)
}

/** Estimates the length of the legacy answer: a little longer than v1's (an offset for a Z, an object around a code). */
const expectedLength = (json: Uint8Array): number => json.length + (json.length >> 3)

/** The plan of a legacy page: the plans of a row and of the counts, and the bytes around them. */
export interface PagePlan {
  readonly row: ValuePlan
  readonly meta: ValuePlan
  readonly open: Piece
  readonly between: Piece
}

/** Compiles the plan of a page. `rowsAt` and `metaAt` name the root's members for the rows and the counts. */
export function pagePlan(rowsAt: string, row: ValuePlan, metaAt: string, meta: ValuePlan): PagePlan {
  return { row, meta, open: pieceOf(`{${keyOf(rowsAt)}[`), between: pieceOf(`],${keyOf(metaAt)}`) }
}

/** Rewrites a v1 page into a legacy page. Keeps v1's counts as they are. Throws like `rewriteRecord`. */
export function rewritePage(plan: PagePlan, json: Uint8Array): Buffer {
  const { written, meta } = walkPage(json, (at) => {
    const rewriter = new Rewriter(json, expectedLength(json) + AROUND)
    rewriter.out.write(plan.open)
    const { end } = writeRows(rewriter, plan.row, json, at, ALL_ROWS)
    return { end, rewriter }
  })
  return closePage(plan, written.rewriter, meta)
}

/** Composes a legacy page from rows in the legacy shape, which come in one or more pieces of comma-separated rows. */
export function composePage(plan: PagePlan, rows: readonly Uint8Array[], meta: PageMeta): Buffer {
  const separated = rows.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]))
  const close = closePage(plan, new Rewriter(NOTHING, AROUND), meta)
  return Buffer.concat([plan.open.text, ...separated, close])
}

/** Writes v1's counts in the legacy shape, and closes the page. */
function closePage(plan: PagePlan, rewriter: Rewriter, { total, page, perPage, pageCount }: PageMeta): Buffer {
  rewriter.out.write(plan.between)
  rewriter.goOnWith(Buffer.from(`{"total":${total},"page":${page},"perPage":${perPage},"pageCount":${pageCount}}`))
  rewriter.value(plan.meta, 0)
  rewriter.out.write(CLOSE)
  return rewriter.finish()
}

const NOTHING = Buffer.alloc(0)
const COMMA = Buffer.from(',')
const CLOSE = pieceOf('}')
/** Room for the bytes around the rows, counts included. */
const AROUND = 256
