import { fromRequestRow } from '../../src/mapping/filled-lines.ts'
import { assumed, from, list, lost, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 6.2: v1 has `{slug, name, amount}` where legacy has `{type, desc, value}`. */
const additionalFee = shape('Package additional fee', {
  type: from('slug'),
  desc: from('name'),
  value: from('amount'),
})

const fromTheRequest =
  'v1’s rows do not have it; the request’s row at the same position does, if the numbers of rows match'

const pricedPackage = shape('Package row of a quote', {
  id: assumed(fromTheRequest, fromRequestRow('packages', 'id')),
  piece: assumed(fromTheRequest, fromRequestRow('packages', 'piece')),
  perimeter: lost('v1’s package rows do not have it'),
  additionalFees: assumed('the contract does not name the list of fees', list(additionalFee)),
})

/** The contract shows only what changed in a quote (docs/contract.md 6.2 and 13.2). Open: other members pass. */
export const quote = shape('Price quote', {
  fuelSurcharges: from('fuelSurcharge'),
  packages: assumed('the contract does not name the list of package rows', list(pricedPackage)),
})

/** The contract does not show the request (docs/contract.md 13.1): everything passes except what v1 does not support. */
export const priceRequest = shape('Price request', {
  packages: list(
    shape('Package row of a price request', {
      id: lost('v1 does not support it; the gateway fills it into the answer'),
    }),
  ),
})
