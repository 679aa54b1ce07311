import { type Language, nameOf } from '../language.ts'
import type { LocatedAddress } from '../store/shipments.ts'

/** docs/contract.md 5.5. Missing values are empty strings. */
export function presentAddress(address: LocatedAddress, language: Language) {
  const { country } = address
  return {
    id: address.id,
    firstName: address.firstName,
    lastName: address.lastName,
    company: address.company,
    email: address.email,
    phone: address.phone,
    state: address.state,
    city: address.city,
    zipCode: address.zipCode,
    address1: address.address1,
    address2: address.address2,
    country: {
      id: country.id,
      code: country.code,
      name: nameOf(country, language),
      flags: { w20: country.flagW20, w40: country.flagW40 },
      phoneCode: country.phoneCode,
      isCarrierService: country.isCarrierService === 1,
      tax: { type: country.taxType, maxValidPrice: country.taxMaxValidPrice },
    },
  }
}
