import type { DatabaseSync } from 'node:sqlite'
import type { Message, Service } from '../service.ts'
import { findRow } from '../store/sandbox-rows.ts'
import { nullMembers, type Rules, type Sound, type Violation } from '../validation/validate-request.ts'
import { messages } from '../validation/validation-messages.ts'
import type { DocumentBody, LegacyPackageBody, PackageBody, SentAddress, SentSender } from './shipment-bodies.ts'
import { findUnitByCode } from './shipment-orders.ts'

/*
 * Rules that the schemas of bodies cannot state. A rule may report a field as missing that is present but invalid. That does
 * no harm, because the schema's violation of that field comes first.
 */

/** Returns a violation unless the rule is met. */
export function unless(isMet: boolean, path: string, message: Message): Violation[] {
  return isMet ? [] : [{ path, message }]
}

/** The country of a destination must be served by carriers. */
export function mustBeServed(db: DatabaseSync, path: string, countryId: number | undefined): Violation[] {
  const country = countryId === undefined ? undefined : findRow(db, 'countries', { id: countryId })
  return [
    ...mustExist(path, countryId, () => country),
    ...unless(country?.isCarrierService !== 0, path, messages.notServed),
  ]
}

/** The rules of a request for prices. */
export function legacyPriceRules({ db }: Service): Rules<{ countryId: number }> {
  return ({ countryId }) => mustBeServed(db, 'countryId', countryId)
}

/**
 * The rules of v1: null counts as not sent only in these fields (docs/contract.md 4.2). *Assumed*: a field that the service
 * does not have must not be null either. Items of arrays are no fields.
 */
export function priceRules(service: Service): Rules<{ countryId: number }> {
  const mayBeNull = /^(city|zipCode|date|packages\[\d+\]\.piece)$/
  return (sent) => {
    const nulls = nullMembers(sent).filter((path) => !mayBeNull.test(path))
    return [...legacyPriceRules(service)(sent), ...nulls.map((path) => ({ path, message: messages.notNull }))]
  }
}

/** The rules of both kinds of shipments. *Assumed*: a recipient that is a company must have a company name. */
export function documentRules({ db }: Service): Rules<DocumentBody> {
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
export function packageRules(service: Service, unitPath = 'unitOfMeasureCode'): Rules<PackageBody> {
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
export function legacyPackageRules(service: Service): Rules<LegacyPackageBody> {
  const rules = packageRules(service, 'unitOfMeasure.code')
  return ({ products, ...sent }) =>
    rules({
      ...sent,
      products: products?.map((each) => each && { ...each, unitOfMeasureCode: each.unitOfMeasure?.code }),
    })
}

/** A recipient or billing address must be in a country that carriers serve. */
function addressRules(db: DatabaseSync, path: string, sent: Sound<SentAddress> | null | undefined): Violation[] {
  return mustBeServed(db, `${path}.countryId`, sent?.countryId)
}

/** City and county must exist and match (docs/contract.md 9.2: a mismatch is a violation of the field). */
function newSenderRules(db: DatabaseSync, sent: Sound<SentSender> | null | undefined): Violation[] {
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

/** The record that a field refers to must exist. A field that is missing or not valid is not checked. */
function mustExist<Key>(
  path: string,
  key: Key | null | undefined,
  find: (key: Key) => object | undefined,
): Violation[] {
  return key === undefined || key === null ? [] : unless(find(key) !== undefined, path, messages.unknown)
}
