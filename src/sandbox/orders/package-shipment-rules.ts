import type { DatabaseSync } from 'node:sqlite'
import { findCountryByCode, findCurrency, findExportCode, findUnitOfMeasureByCode } from '../store/references.ts'
import { mustExist, unless } from '../validation/field-rules.ts'
import type { Rules } from '../validation/validate.ts'
import { messages } from '../validation/validation-messages.ts'
import type { PackageShipmentBody } from './package-shipment-body.ts'
import { addressRules, commonRules, newSenderRules } from './shipment-rules.ts'

/**
 * The rules that the schema of a package shipment cannot state. *Assumed*: a customs account number needs the zip code
 * of the account (docs/contract.md 9.2), and isDiffBillingAddress needs a billing address. `unitPath` is the path of a
 * product's unit of measure in this interface.
 */
export function packageRules(db: DatabaseSync, unitPath = 'unitOfMeasureCode'): Rules<PackageShipmentBody> {
  return (body) => [
    ...commonRules(db)(body),
    ...addressRules(db, 'billingAddress', body.billingAddress),
    ...unless(!body.isDiffBillingAddress || Boolean(body.billingAddress), 'billingAddress', messages.required),
    ...newSenderRules(db, body.newSenderAddress),
    ...mustExist('currencyId', body.currencyId, (id) => findCurrency(db, id)),
    ...mustExist('exportCodeId', body.exportCodeId, (id) => findExportCode(db, id)),
    ...(body.products ?? []).flatMap((product, index) => [
      ...mustExist(`products[${index}].${unitPath}`, product?.unitOfMeasureCode, (code) =>
        findUnitOfMeasureByCode(db, code),
      ),
      ...mustExist(`products[${index}].originCountryCode`, product?.originCountryCode, (code) =>
        findCountryByCode(db, code),
      ),
    ]),
    ...unless(
      !body.customsAccountNumber || Boolean(body.customsAccountZipCode),
      'customsAccountZipCode',
      messages.required,
    ),
  ]
}
