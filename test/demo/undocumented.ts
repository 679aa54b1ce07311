import type { AnswerLine } from '../../src/mapping/corrections/corrections.ts'
import type { Planted } from './planted.ts'

/**
 * Three deviations that the contract does not name, as the first week with real services brings them: another name, other values, another
 * unit. The sandbox deviates by these lines. The gateway does not get them: it must propose them.
 */
export const undocumented: readonly {
  readonly operation: string
  readonly legacy: string
  readonly line: AnswerLine
}[] = [
  { operation: 'city-list', legacy: '[].plate', line: { from: 'items[].plateCode' } },
  {
    ...{ operation: 'county-list', legacy: '[].state' },
    line: { from: 'items[].state', enum: { closed: 'CLOSED', open: 'ACTIVE' } },
  },
  { operation: 'price', legacy: '[].totalPrice', line: { from: 'items[].totalPrice', scale: 2 } },
]

/** The lines as `sandbox --deviate` reads them. */
export const deviations = JSON.stringify({
  operations: Object.fromEntries(
    undocumented.map(({ operation, legacy, line }) => [operation, { response: { [legacy]: line } }]),
  ),
})

/** How side by side reports the deviations, until the mappings are corrected. */
export const undocumentedDifferences: readonly Omit<Planted, 'fault'>[] = [
  { operation: 'city-list', kind: 'missing', path: '[].plate', v1Path: null },
  { operation: 'city-list', kind: 'extra', path: '[].plateCode', v1Path: 'items[].plateCode' },
  { operation: 'county-list', kind: 'changed', path: '[].state', v1Path: 'items[].state' },
  { operation: 'price', kind: 'changed', path: '[].totalPrice', v1Path: 'items[].totalPrice' },
]
