/**
 * Why a line of a mapping is as it is: the contract says so, or we decided and say why. Side by side confirms or refutes
 * what was decided.
 */
export type Basis = { readonly kind: 'documented' } | { readonly kind: 'assumed'; readonly reason: string }

/** The contract says so. What a line is when it says nothing else. */
export const documented: Basis = { kind: 'documented' }

/**
 * Marks a line as our own decision; the reason is shown wherever the line is explained.
 *
 * @example
 * shipmentId: assumed('the contract does not show the request', from('carrierShipmentId')),
 * perPage: assumed('no limit is shown', query(integer(1, 5_000)))
 */
export function assumed<Line extends { readonly basis: Basis }>(reason: string, line: Line): Line {
  return { ...line, basis: { kind: 'assumed', reason } }
}
