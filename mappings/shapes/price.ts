import { assumed } from '../../src/mapping/basis.ts'
import { from, fromRequestRow, list, lost, shape } from '../../src/mapping/shape.ts'

/** docs/contract.md 6.2: `{slug, name, amount}` where legacy has `{type, desc, value}`. */
const additionalFee = shape('Package additional fee', {
  type: from('slug'),
  desc: from('name'),
  value: from('amount'),
})

const fromTheRequest = 'v1’s rows do not carry it; the request’s row at the same place does, when there are as many'

const pricedPackage = shape('Package row of a quote', {
  id: assumed(fromTheRequest, fromRequestRow('packages', 'id')),
  piece: assumed(fromTheRequest, fromRequestRow('packages', 'piece')),
  perimeter: lost('v1’s package rows do not carry it'),
  additionalFees: assumed('the contract does not name the list of fees', list(additionalFee)),
})

/** A quote is not known beyond what changed (docs/contract.md 6.2 and 13.2). Open: the rest passes. */
export const quote = shape('Price quote', {
  fuelSurcharges: from('fuelSurcharge'),
  packages: assumed('the contract does not name the list of package rows', list(pricedPackage)),
})

/** The request is not known (docs/contract.md 13.1): whatever a client sends passes, but for what v1 does not support. */
export const priceRequest = shape('Price request', {
  packages: list(
    shape('Package row of a price request', {
      id: lost('v1 does not support it; it comes back in the answer all the same'),
    }),
  ),
})
