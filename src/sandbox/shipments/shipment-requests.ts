import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { Service } from '../service.ts'
import { findRow } from '../store/sandbox-rows.ts'
import {
  anyText,
  centimetres,
  code,
  count,
  kilograms,
  list,
  money,
  optionalText,
  recordId,
  text,
} from '../validation/body-fields.ts'
import { bodyOf, converted, mustExist, type Rules, type Sound, unless } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'
import { mustBeServed } from './destinations.ts'

/*
 * The bodies of requests for shipments (docs/contract.md 4.4, 4.5, 6.4 and 6.5). *Assumed*: which fields are required
 * (docs/contract.md 13.1), all bounds (13.6), and that null means the same as a missing optional field, because legacy
 * programs send it.
 */

/** docs/contract.md 4.4, `recipientAddress` and `billingAddress`. */
const address = z.object({
  countryId: recordId(),
  firstName: text(100),
  lastName: text(100),
  company: optionalText(255),
  email: optionalText(255),
  phone: text(50),
  zipCode: optionalText(20),
  state: optionalText(100),
  city: text(100),
  address1: text(255),
  address2: optionalText(255),
})

/** docs/contract.md 4.4, `newSenderAddress`. Only the ids of county and city are used; their names are ignored. */
const newSenderAddress = z.object({
  title: optionalText(100),
  county: z.object({ id: recordId(), name: optionalText(100) }),
  city: z.object({ id: recordId(), name: optionalText(100) }),
  address1: text(255),
  address2: optionalText(255),
  firstName: text(100),
  lastName: text(100),
  company: optionalText(255),
  phone: text(50),
  zipCode: optionalText(20),
  email: optionalText(255),
  taxType: code().nullish(),
  tcNo: optionalText(11),
  taxNumber: optionalText(20),
})

/** The fields of both kinds of shipments, and all that a document shipment has (docs/contract.md 4.5). */
const documentBody = z.object({
  recipientAddress: address,
  referenceNumbers: list(anyText(100), 0, 100).nullish(),
  isRecipientCompany: z.boolean().nullish(),
  taxIdentificationNumber: optionalText(50),
  senderAddressId: recordId().nullish(),
  id: recordId().nullish(),
})

/** A row of `packages`. *Assumed*: a missing piece means 1. */
const sentPackage = z.object({
  length: centimetres(0.1),
  size: centimetres(0.1),
  height: centimetres(0.1),
  weight: kilograms(),
  piece: count(100).nullish(),
})

/** A row of `products`. */
const product = z.object({
  hsCode: text(32),
  description: text(255),
  piece: count(1_000_000),
  unitPrice: money(),
  unitOfMeasureCode: text(8),
  originCountryCode: text(8),
})

/** docs/contract.md 4.4, row by row. */
const packageBody = z.object({
  ...documentBody.shape,
  packages: list(sentPackage, 1, 100),
  description: text(255),
  carrierId: recordId(),
  currencyId: recordId(),
  exportCodeId: recordId(),
  products: list(product, 1, 1000),
  taxNumber: optionalText(50),
  deliveryTaxType: code().nullish(),
  previousTaxStatus: code().nullish(),
  freight: money().nullish(),
  discount: money().nullish(),
  other: money().nullish(),
  isDiffBillingAddress: z.boolean().nullish(),
  billingAddress: address.nullish(),
  newSenderAddress: newSenderAddress.nullish(),
  singlePointImportId: recordId().nullish(),
  customsAccountNumber: optionalText(50),
  customsAccountZipCode: optionalText(20),
  comment: optionalText(1000),
})

/** The name is ignored. *Assumed*: for a product without a unit, the violation is the missing code. */
const unitOfMeasure = z.preprocess((sent) => sent ?? {}, z.object({ code: text(8), name: optionalText(255) }))

const { unitOfMeasureCode: _, originCountryCode, ...withoutUnit } = product.shape

/** docs/contract.md 6.5: the body of v1, with `unitOfMeasure {code, name}` in products. */
const legacyPackageBody = packageBody.extend({
  products: list(z.object({ ...withoutUnit, unitOfMeasure, originCountryCode }), 1, 1000),
})

export type DocumentBody = z.output<typeof documentBody>
export type PackageBody = z.output<typeof packageBody>
export type SentAddress = z.output<typeof address>
type SentSender = z.output<typeof newSenderAddress>

export const documentRequest = bodyOf(documentBody, documentRules)
export const packageRequest = bodyOf(packageBody, packageRules)
export const legacyPackageRequest = converted(
  bodyOf(legacyPackageBody, legacyPackageRules),
  ({ products, ...sent }): PackageBody => ({
    ...sent,
    products: products.map(({ unitOfMeasure, ...rest }) => ({ ...rest, unitOfMeasureCode: unitOfMeasure.code })),
  }),
)

/*
 * The rules that the schemas cannot state. A rule may report a field as missing that is present but invalid. That does no harm,
 * because the schema's violation of that field comes first.
 */

/** The rules of both kinds of shipments. *Assumed*: a recipient that is a company must have a company name. */
function documentRules({ db }: Service): Rules<DocumentBody> {
  return ({ recipientAddress, isRecipientCompany }) => [
    ...addressRules(db, 'recipientAddress', recipientAddress),
    ...unless(
      !isRecipientCompany || !recipientAddress || Boolean(recipientAddress.company),
      'recipientAddress.company',
      messages.required,
    ),
  ]
}

/**
 * The rules of a package shipment. *Assumed*: a customs account number needs the zip code of the account
 * (docs/contract.md 9.2), and isDiffBillingAddress needs a billing address. `unitPath` is the path of a product's unit of
 * measure in the body.
 */
function packageRules(service: Service, unitPath = 'unitOfMeasureCode'): Rules<PackageBody> {
  const { db } = service
  return (body) => [
    ...documentRules(service)(body),
    ...addressRules(db, 'billingAddress', body.billingAddress),
    ...unless(!body.isDiffBillingAddress || Boolean(body.billingAddress), 'billingAddress', messages.required),
    ...newSenderRules(db, body.newSenderAddress),
    ...mustExist('currencyId', body.currencyId, (id) => findRow(db, 'currencies', { id })),
    ...mustExist('exportCodeId', body.exportCodeId, (id) => findRow(db, 'exportCodes', { id })),
    ...(body.products ?? []).flatMap((product, index) => [
      ...mustExist(`products[${index}].${unitPath}`, product?.unitOfMeasureCode, (code) => findUnitByCode(db, code)),
      ...mustExist(`products[${index}].originCountryCode`, product?.originCountryCode, (code) =>
        findRow(db, 'countries', { code }),
      ),
    ]),
    ...unless(
      !body.customsAccountNumber || Boolean(body.customsAccountZipCode),
      'customsAccountZipCode',
      messages.required,
    ),
  ]
}

/** The rules of a package shipment for the body of legacy. */
function legacyPackageRules(service: Service): Rules<z.output<typeof legacyPackageBody>> {
  const rules = packageRules(service, 'unitOfMeasure.code')
  return ({ products, ...sent }) =>
    rules({
      ...sent,
      products: products?.map((each) => each && { ...each, unitOfMeasureCode: each.unitOfMeasure?.code }),
    })
}

/** A recipient or billing address must be in a country that carriers serve. */
function addressRules(db: DatabaseSync, path: string, sent: Sound<SentAddress> | null | undefined) {
  return mustBeServed(db, `${path}.countryId`, sent?.countryId)
}

/** City and county must exist and match (docs/contract.md 9.2: a mismatch is a violation of the field). */
function newSenderRules(db: DatabaseSync, sent: Sound<SentSender> | null | undefined) {
  const path = 'newSenderAddress'
  const [cityId, countyId] = [sent?.city?.id, sent?.county?.id]
  const city = cityId === undefined ? undefined : findRow(db, 'cities', { id: cityId, countryCode: 'TR' })
  const county = countyId === undefined ? undefined : findRow(db, 'counties', { id: countyId })
  return [
    ...mustExist(`${path}.county.id`, countyId, () => county),
    ...mustExist(`${path}.city.id`, cityId, () => city),
    ...unless(!city || !county || county.cityId === city.id, `${path}.city`, messages.cityMismatch),
  ]
}

/** Finds a unit of measure. *Assumed*: codes of countries and units in a request are read case-insensitively. */
export function findUnitByCode(db: DatabaseSync, code: string): { id: number } | undefined {
  const row = db.prepare('SELECT id FROM unitsOfMeasure WHERE code = ? COLLATE NOCASE').get(code)
  return row && { id: Number(row.id) }
}
