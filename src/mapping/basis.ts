/**
 * Why a mapping line is as it is: the contract says so, or we decided, with a reason. Side-by-side comparison confirms or
 * refutes our decisions.
 */
export type Basis = { readonly kind: 'documented' } | { readonly kind: 'assumed'; readonly reason: string }

/** The contract says so. The default basis of a line. */
export const documented: Basis = { kind: 'documented' }

/**
 * Marks a line as our own decision. Every explanation of the line shows the reason.
 *
 * @example
 * shipmentId: assumed('the contract does not show the request', from('carrierShipmentId')),
 * perPage: assumed('no limit is shown', query(integer(1, 5_000)))
 */
export function assumed<Line extends { readonly basis: Basis }>(reason: string, line: Line): Line {
  return { ...line, basis: { kind: 'assumed', reason } }
}
