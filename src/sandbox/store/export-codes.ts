import type { DatabaseSync } from 'node:sqlite'
import { type Page, type PageRequest, selectPage } from './select-page.ts'

export interface ExportCodeRow {
  id: number
  code: string
  name: string
  orderNumber: number
}

/** `name` sorts like a Turkish dictionary. */
const sortColumns = {
  orderNumber: 'orderNumber',
  name: 'nameOrder',
  code: 'code',
  id: 'id',
}

/** Returns one page of the export codes. */
export function selectExportCodes(db: DatabaseSync, page: PageRequest<keyof typeof sortColumns>): Page<ExportCodeRow> {
  return selectPage(db, 'exportCodes', [], sortColumns, page)
}
