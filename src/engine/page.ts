import { type Piece, pieceOf } from '../mapping/piece.ts'
import { ALL_ROWS, expectedLength, walkPage } from './answer.ts'
import type { PageMeta } from './page-meta.ts'
import { ByteWriter } from './rewrite/byte-writer.ts'
import { keyOf } from './rewrite/key.ts'
import type { ValuePlan } from './rewrite/plan.ts'
import { Rewriter } from './rewrite/rewrite.ts'

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
  const out = new ByteWriter(expectedLength(json) + AROUND)
  out.write(plan.open)
  const rowsAt = out.length
  const { meta } = walkPage(json, (at) => {
    out.backTo(rowsAt)
    return new Rewriter(json, out).rows(plan.row, at, ALL_ROWS.skip, ALL_ROWS.take)
  })
  return finish(plan, out, meta)
}

/** Composes a legacy page from rows in the legacy shape, which come in one or more pieces of comma-separated rows. */
export function composePage(plan: PagePlan, rows: readonly Uint8Array[], meta: PageMeta): Buffer {
  const out = new ByteWriter(rows.reduce((length, piece) => length + piece.length + 1, AROUND))
  out.write(plan.open)
  for (const [index, piece] of rows.entries()) {
    if (index > 0) out.write(COMMA)
    out.append(piece)
  }
  return finish(plan, out, meta)
}

/** Writes v1's counts in the legacy shape, and closes the page. */
function finish(plan: PagePlan, out: ByteWriter, { total, page, perPage, pageCount }: PageMeta): Buffer {
  out.write(plan.between)
  const meta = Buffer.from(`{"total":${total},"page":${page},"perPage":${perPage},"pageCount":${pageCount}}`)
  new Rewriter(meta, out).value(plan.meta, 0)
  out.write(CLOSE)
  return out.finish()
}

const COMMA = pieceOf(',')
const CLOSE = pieceOf('}')
/** Room for the bytes around the rows, counts included. */
const AROUND = 256
