/** A difference that is planted in the legacy service, and how side by side must report it. No line of a mapping file explains it. */
export interface Planted {
  /** A fault of the sandbox (docs/sandbox.md "Faults on demand"), for all calls of the demonstration. */
  readonly fault: Readonly<Record<string, unknown>>
  readonly operation: string
  readonly kind: string
  readonly path: string
  readonly v1Path: string | null
}

export const planted: readonly Planted[] = [
  {
    fault: { path: '/api/invoice/list', kind: 'change', at: 'data[].priceTry', to: 0.01 },
    ...{ operation: 'invoice-list', kind: 'changed', path: 'data[].priceTry', v1Path: 'items[].priceTry' },
  },
  {
    fault: { path: '/country/all', kind: 'remove', at: '[0].flagW40' },
    ...{ operation: 'country-list', kind: 'extra', path: '[].flagW40', v1Path: 'items[].flags.w40' },
  },
  {
    fault: { path: '/api/currency', kind: 'change', at: '[].rate.buyingRateTry', to: '0' },
    ...{ operation: 'currency-list', kind: 'type', path: '[].rate.buyingRateTry', v1Path: 'items[].rates.buyingTry' },
  },
  {
    fault: { path: '/api/unit/of/measure/all', kind: 'remove', at: '[0]' },
    ...{ operation: 'unit-list', kind: 'length', path: '', v1Path: 'items' },
  },
]
