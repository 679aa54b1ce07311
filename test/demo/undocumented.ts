import type { Corrections } from '../../src/mapping/corrections/corrections.ts'
import type { Planted } from './planted.ts'

/**
 * Three differences that the contract does not name, as the first week with real services brings them: another name, other
 * values, another unit. The sandbox deviates by this file, and the same file corrects the mappings.
 */
export const undocumented: Corrections = {
  operations: {
    'city-list': { response: { '[].plate': { from: 'items[].plateCode' } } },
    'export-code-list': {
      response: { '[].state': { from: 'items[].state', enum: { open: 'ACTIVE', closed: 'CLOSED' } } },
    },
    price: { response: { '[].totalPrice': { from: 'items[].totalPrice', scale: 2 } } },
  },
}

/** How side by side reports them, until the mappings are corrected. */
export const undocumentedDifferences: readonly Omit<Planted, 'fault'>[] = [
  { operation: 'city-list', kind: 'missing', path: '[].plate', v1Path: null },
  { operation: 'city-list', kind: 'extra', path: '[].plateCode', v1Path: 'items[].plateCode' },
  { operation: 'export-code-list', kind: 'changed', path: '[].state', v1Path: 'items[].state' },
  { operation: 'price', kind: 'changed', path: '[].totalPrice', v1Path: 'items[].totalPrice' },
]
