import { z } from 'zod'
import { sortOrder } from '../validation/query-parameters.ts'

/**
 * The order of a reference list: by one of these columns, else by orderNumber, also for a sortBy that is unknown, which v1
 * refuses (docs/contract.md 8.5). *Assumed*: what can be sorted by, and the default, as in v1.
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
