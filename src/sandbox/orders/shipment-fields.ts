import { z } from 'zod'
import type { Address, NewSenderAddress } from '../shipping/shipment-order.ts'
import { anyText, code, list, optionalText, recordId, text } from '../validation/body-fields.ts'

/*
 * The objects that both request bodies have (docs/contract.md 4.4 and 4.5). *Assumed*: which fields are required
 * (docs/contract.md 13.1), and that null means the same as a missing optional field, because legacy programs send it.
 */

/** docs/contract.md 4.4, `recipientAddress` and `billingAddress`. */
export const address = z.object({
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
export const newSenderAddress = z.object({
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

/** The fields that document shipments have too (docs/contract.md 4.5). */
export const commonFields = {
  recipientAddress: address,
  referenceNumbers: list(anyText(100), 0, 100).nullish(),
  isRecipientCompany: z.boolean().nullish(),
  taxIdentificationNumber: optionalText(50),
  senderAddressId: recordId().nullish(),
  id: recordId().nullish(),
}

/** Converts an address of a request into the stored form. Missing values become empty strings. */
export function readAddress(sent: z.output<typeof address>): Address {
  return {
    firstName: sent.firstName,
    lastName: sent.lastName,
    company: sent.company ?? '',
    email: sent.email ?? '',
    phone: sent.phone,
    countryId: sent.countryId,
    state: sent.state ?? '',
    city: sent.city,
    zipCode: sent.zipCode ?? '',
    address1: sent.address1,
    address2: sent.address2 ?? '',
  }
}

/** Converts a new sender address of a request into the stored form, with this place. */
export function readNewSender(
  sent: z.output<typeof newSenderAddress>,
  { countryId, county, city }: { countryId: number; county: string; city: string },
): NewSenderAddress {
  return {
    ...readAddress({ ...sent, countryId, state: county, city }),
    title: sent.title ?? '',
    taxType: sent.taxType ?? null,
    tcNo: sent.tcNo ?? '',
    taxNumber: sent.taxNumber ?? '',
  }
}
