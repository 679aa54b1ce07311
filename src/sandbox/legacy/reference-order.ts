import { z } from 'zod'
import { sortOrder } from '../validation/query-parameters.ts'

/**
 * The order of a reference list: by one of these columns, else by orderNumber, also for a sortBy that is unknown (contract,
 * General changes 5: v1 refuses it). *Assumed*: what can be sorted by, and the default, as in v1.
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
