import { z } from 'zod'
import { sortOrder } from '../validation/query-parameters.ts'

/**
 * The order of a reference list: by one of these columns, otherwise by orderNumber. An unknown sortBy also means
 * orderNumber, while v1 refuses it (docs/contract.md 8.5). *Assumed*: the columns and the default are those of v1.
 */
export function referenceOrder<Column extends string>(columns: readonly Column[]) {
  return {
    sortBy: z
      .string()
      .prefault('')
      .transform((sent): Column | 'orderNumber' => columns.find((column) => column === sent) ?? 'orderNumber'),
    sortOrder: sortOrder(),
  }
}
