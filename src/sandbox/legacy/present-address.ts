import type { Language } from '../language.ts'
import type { LocatedAddress } from '../store/shipments.ts'
import { presentCountry } from './present-country.ts'

/** Builds an address as in v1, but with a flat country. Missing values are empty strings. */
export function presentAddress(address: LocatedAddress, language: Language) {
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
    country: presentCountry(address.country, language),
  }
}
