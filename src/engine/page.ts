import { type Piece, pieceOf } from '../mapping/piece.ts'
import { ALL_ROWS, expectedLength, walkPage } from './answer.ts'
import type { PageMeta } from './page-meta.ts'
import { ByteWriter } from './rewrite/byte-writer.ts'
import { keyOf } from './rewrite/key.ts'
import type { ValuePlan } from './rewrite/plan.ts'
import { Rewriter } from './rewrite/rewrite.ts'

/** What a legacy page is made of: the plans of a row and of the counts, and what stands around them. */
export interface PagePlan {
  readonly row: ValuePlan
  readonly meta: ValuePlan
  readonly open: Piece
  readonly between: Piece
}

/** The plan of a page whose rows are the member `rowsAt` of its root, and whose counts are the member `metaAt`. */
export function pagePlan(rowsAt: string, row: ValuePlan, metaAt: string, meta: ValuePlan): PagePlan {
  return { row, meta, open: pieceOf(`{${keyOf(rowsAt)}[`), between: pieceOf(`],${keyOf(metaAt)}`) }
}

/** A page of v1 as a legacy page, with v1's own counts, whatever they are. Throws as `rewriteRecord` does. */
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

/** A legacy page of rows that are in the legacy shape already, commas between them, in as many pieces as they came. */
export function composePage(plan: PagePlan, rows: readonly Uint8Array[], meta: PageMeta): Buffer {
  const out = new ByteWriter(rows.reduce((length, piece) => length + piece.length + 1, AROUND))
  out.write(plan.open)
  for (const [index, piece] of rows.entries()) {
    if (index > 0) out.write(COMMA)
    out.append(piece)
  }
  return finish(plan, out, meta)
}

/** Writes the counts as v1 would have written them, and what is behind them. */
function finish(plan: PagePlan, out: ByteWriter, { total, page, perPage, pageCount }: PageMeta): Buffer {
  out.write(plan.between)
  const meta = Buffer.from(`{"total":${total},"page":${page},"perPage":${perPage},"pageCount":${pageCount}}`)
  new Rewriter(meta, out).value(plan.meta, 0)
  out.write(CLOSE)
  return out.finish()
}

const COMMA = pieceOf(',')
const CLOSE = pieceOf('}')
/** Enough for what stands around the rows, counts included. */
const AROUND = 256
