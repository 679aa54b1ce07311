import { type Call, nameOf } from '../service.ts'
import { type CarrierQuote, desiOf, type Measures } from '../shipments/prices.ts'
import {
  firstActivityStatus,
  type LocatedAddress,
  type NamedState,
  readAddress,
  registeredStatus,
  type Shipment,
  trackingNumberOf,
  typeOf,
} from '../shipments/stored-shipments.ts'
import type { Row } from '../store/sandbox-tables.ts'
import { presentCoded, presentCountry, presentUnit, timestamp } from './present-rows.ts'

/** What presenters know of a call. */
type Form = Pick<Call, 'face' | 'language'>

/**
 * docs/contract.md 4.2 and 6.2: legacy has fuelSurcharges, more members in each package row, and other members in an
 * additional fee. *Assumed*: all other members, and that prices are in USD.
 */
export function presentQuote({ carrier, quote, sent }: CarrierQuote, form: Form) {
  const fuelSurcharge = quote.fuelSurcharge / 100
  return {
    carrier: pick(carrier, 'id', 'slug', 'name', 'service', 'logoUrl'),
    currencyCode: 'USD',
    freightPrice: quote.freight / 100,
    fuelSurcharge: form.face === 'v1' ? fuelSurcharge : undefined,
    fuelSurcharges: form.face === 'v1' ? undefined : fuelSurcharge,
    peakPrice: quote.peak / 100,
    remoteAreaPrice: quote.remoteArea / 100,
    totalPrice: quote.total / 100,
    packages: quote.packages.map((row, index) => presentPricedPackage(row, sent[index], form)),
  }
}

/** *Assumed*: id and piece come from the request; null if it has none. */
function presentPricedPackage(
  { measures, desi, chargeableWeight, freight, additionalFees }: CarrierQuote['quote']['packages'][number],
  sent: CarrierQuote['sent'][number] | undefined,
  { face, language }: Form,
) {
  const inV1 = face === 'v1'
  return {
    id: inV1 ? undefined : (sent?.id ?? null),
    ...measures,
    piece: inV1 ? undefined : (sent?.piece ?? null),
    perimeter: inV1 ? undefined : perimeterOf(measures),
    desi,
    chargeableWeight,
    freightPrice: freight / 100,
    additionalFees: additionalFees.map(({ slug, name, amount }) =>
      inV1
        ? { slug, name: name[language], amount: amount / 100 }
        : { type: slug, desc: name[language], value: amount / 100 },
    ),
  }
}

/** *Assumed*: the length plus the girth, as carriers measure, to the tenth of a millimetre. */
function perimeterOf({ length, size, height }: Measures): number {
  return Math.round((length + 2 * (size + height)) * 100) / 100
}

/**
 * docs/contract.md 5.4 and 6.5, in this order. Missing values are null. *Assumed*: requests cannot ask for a guarantee or
 * for outsourcing, so both are false.
 *
 * That the names of type, status, country and origin country follow Accept-Language is a change of v1, so in legacy they do
 * not. *Assumed*: there they are in the default language.
 */
export function presentShipment(shipment: Shipment, form: Form) {
  const { face } = form
  const inV1 = face === 'v1'
  const named: Form = inV1 ? form : { face, language: 'tr' }
  const { row, currency, singlePointImport, billingAddress } = shipment
  const { barcode, trackingNumber, trackingUrl } = numbersOf(shipment)
  return {
    id: row.id,
    barcode,
    trackingNumber,
    trackingUrl,
    ...pick(row, 'description', 'comment'),
    type: presentState(typeOf(row), named),
    status: presentState(registeredStatus, named),
    activityStatus: presentState(firstActivityStatus, named),
    currency: currency && {
      ...presentCoded(currency),
      ...(!inV1 && { updatedAt: timestamp(currency.updatedAt, face) }),
    },
    exportCode: shipment.exportCode && presentCoded(shipment.exportCode),
    carrier: pick(shipment.carrier, 'id', 'slug', 'name', 'service', 'logoUrl'),
    organization: pick(shipment.organization, 'id', 'name'),
    singlePointImport: singlePointImport && presentImportNumber(singlePointImport, form),
    recipientAddress: presentAddress(shipment.recipientAddress, named),
    senderAddress: presentAddress(shipment.senderAddress, named),
    billingAddress: billingAddress && presentAddress(billingAddress, named),
    referenceNumbers: JSON.parse(row.referenceNumbers) as string[],
    ...pick(row, 'taxIdentificationNumber', 'deliveryTaxType', 'previousTaxStatus'),
    isGuarantee: false,
    isOutsource: false,
    ...pick(row, 'customsAccountNumber', 'customsAccountZipCode'),
    ...(!inV1 && { orderData: presentOrderData(row) }),
    packages: shipment.packages.map((each) => ({
      id: each.id,
      desi: desiOf(each),
      ...pick(each, 'size', 'height', 'length', 'weight'),
      trackingNumber: trackingNumberOf(shipment.carrier, each),
      activityStatus: presentState(firstActivityStatus, named),
    })),
    products: shipment.products.map((product) => presentProduct(product, form, named)),
    createdAt: timestamp(row.createdAt, face),
    updatedAt: timestamp(row.updatedAt, face),
  }
}

/** *Assumed* (docs/contract.md 13.2; it can be null): the amounts of the request that do not belong to its goods. */
function presentOrderData({ freightHundredths, discountHundredths, otherHundredths }: Row<'shipments'>) {
  const amounts = { freight: freightHundredths, discount: discountHundredths, other: otherHundredths }
  if (Object.values(amounts).every((hundredths) => hundredths === null)) return null
  return Object.fromEntries(
    Object.entries(amounts).map(([name, hundredths]) => [name, hundredths === null ? null : hundredths / 100]),
  )
}

/** docs/contract.md 5.7. The unit's name follows the language in both faces (docs/contract.md 2.3). */
function presentProduct(product: Shipment['products'][number], form: Form, named: Form) {
  const { unitOfMeasure, originCountry } = product
  return {
    ...pick(product, 'id', 'hsCode', 'description', 'piece'),
    unitPrice: product.unitPriceHundredths / 100,
    unitOfMeasure: presentUnit(unitOfMeasure, form),
    originCountry: presentShortCountry(originCountry, named),
  }
}

/** docs/contract.md 7.3: legacy's document shipment, with exactly these members. Null: its request names no such value. */
export function presentLegacyDocument(shipment: Shipment, form: Form) {
  const { row, carrier } = shipment
  const { barcode, trackingNumber, trackingUrl } = numbersOf(shipment)
  return {
    id: row.id,
    type: presentState(typeOf(row), form),
    status: presentState(registeredStatus, form),
    createdAt: timestamp(row.createdAt, form.face),
    updatedAt: timestamp(row.updatedAt, form.face),
    trackingNumber,
    barcode,
    trackingUrl,
    packages: shipment.packages.map((each) => ({
      id: each.id,
      desi: desiOf(each),
      trackingNumber: trackingNumberOf(carrier, each),
      activityStatus: presentState(firstActivityStatus, form),
    })),
    recipientAddress: presentParty(shipment.recipientAddress, form),
    senderAddress: presentParty(shipment.senderAddress, form),
    organization: pick(shipment.organization, 'id', 'name'),
    carrier: pick(carrier, 'id', 'name', 'service', 'slug'),
    freightPrice: row.freightPriceHundredths / 100,
    peakPrice: row.peakPriceHundredths / 100,
    remoteAreaPrice: row.remoteAreaPriceHundredths / 100,
    referenceNumbers: JSON.parse(row.referenceNumbers) as string[],
    isGuarantee: false,
    isOutsource: false,
    products: [],
    currency: null,
    ...pick(row, 'taxNumber', 'taxIdentificationNumber'),
    billingAddress: null,
    orderData: null,
    comment: row.comment,
    singlePointImport: null,
    customsAccountNumber: row.customsAccountNumber,
  }
}

/** docs/contract.md 6.6: v1's answer does not have senderAddress and createdAt. */
export function presentImport(row: Row<'singlePointImports'>, call: Call) {
  if (call.face === 'v1') return presentImportNumber(row, call)
  return {
    ...presentImportNumber(row, call),
    senderAddress: presentAddress(readAddress(call.db, row.senderAddressId), call),
    createdAt: timestamp(row.createdAt, call.face),
  }
}

/** The members of an import in a shipment, where carrierShipmentId is called shipmentId in legacy. */
function presentImportNumber({ id, name, carrierShipmentId }: Row<'singlePointImports'>, { face }: Form) {
  return { id, name, ...(face === 'v1' ? { carrierShipmentId } : { shipmentId: carrierShipmentId }) }
}

/** docs/contract.md 5.5, in its order, where the flags of the country come first. Missing values are empty strings. */
function presentAddress(address: LocatedAddress, form: Form) {
  const { id, code, name, flags, ...country } = presentCountry(address.country, form)
  return {
    ...pick(address, 'id', 'firstName', 'lastName', 'company', 'email', 'phone'),
    ...pick(address, 'state', 'city', 'zipCode', 'address1', 'address2'),
    country: { id, code, name, flags, ...country },
  }
}

function presentParty(address: LocatedAddress, form: Form) {
  const party = pick(address, 'id', 'firstName', 'lastName', 'company')
  return { ...party, country: presentShortCountry(address.country, form) }
}

function presentShortCountry(country: Row<'countries'>, { language }: Form) {
  return { id: country.id, code: country.code, name: nameOf(country, language) }
}

function presentState({ id, slug, name }: NamedState, { language }: Form) {
  return { id, slug, name: name[language] }
}

/** *Assumed*: the form of the barcode and of the tracking URL. */
function numbersOf({ row, carrier, packages: [first] }: Shipment) {
  const trackingNumber = trackingNumberOf(carrier, first)
  return {
    barcode: String(row.id).padStart(12, '0'),
    trackingNumber,
    trackingUrl: carrier.trackingUrl + trackingNumber,
  }
}

/** Returns these members of a row, in this order. */
function pick<Source, Member extends keyof Source>(row: Source, ...members: Member[]): Pick<Source, Member> {
  return Object.fromEntries(members.map((member) => [member, row[member]])) as Pick<Source, Member>
}
