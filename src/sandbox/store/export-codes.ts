import type { DatabaseSync } from 'node:sqlite'
import { type Page, type PageRequest, selectPage } from './select-page.ts'

export interface ExportCodeRow {
  id: number
  code: string
  name: string
  orderNumber: number
}

/** `name` sorts as a Turkish dictionary does. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameOrder',
  code: 'code',
  id: 'id',
}

/** One page of the export codes. */
export function selectExportCodes(db: DatabaseSync, page: PageRequest<keyof typeof sortColumns>): Page<ExportCodeRow> {
  return selectPage(db, 'exportCodes', [], sortColumns, page)
}
