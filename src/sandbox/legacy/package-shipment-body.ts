import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import {
  type PackageShipmentBody,
  packageProducts,
  packageShipmentBody,
  product,
} from '../orders/package-shipment-body.ts'
import { packageRules } from '../orders/package-shipment-rules.ts'
import { optionalText, text } from '../validation/body-fields.ts'
import type { Rules } from '../validation/validate.ts'

/** The name is ignored. *Assumed*: for a product without a unit, the violation is the missing code. */
const unitOfMeasure = z.preprocess((sent) => sent ?? {}, z.object({ code: text(8), name: optionalText(255) }))

const { unitOfMeasureCode: _, originCountryCode, ...withoutUnit } = product.shape

/** docs/contract.md 6.5: the body of v1, with `unitOfMeasure {code, name}` in products. */
export const legacyPackageBody = packageShipmentBody.extend({
  products: packageProducts(z.object({ ...withoutUnit, unitOfMeasure, originCountryCode })),
})

type LegacyPackageBody = z.output<typeof legacyPackageBody>

/** Converts the body into the form from which orders are read. */
export function readPackageBody({ products, ...sent }: LegacyPackageBody): PackageShipmentBody {
  return {
    ...sent,
    products: products.map(({ unitOfMeasure, ...rest }) => ({ ...rest, unitOfMeasureCode: unitOfMeasure.code })),
  }
}

/** Returns the rules of a package shipment for a body in the legacy form. */
export function legacyPackageRules(db: DatabaseSync): Rules<LegacyPackageBody> {
  const rules = packageRules(db, 'unitOfMeasure.code')
  return ({ products, ...sent }) =>
    rules({
      ...sent,
      products: products?.map((each) => each && { ...each, unitOfMeasureCode: each.unitOfMeasure?.code }),
    })
}
