/**
 * Patterns of zip codes, by country code. *Assumed*: in other countries any zip code is valid. Blanks are matched as
 * usually written.
 */
const patterns: Readonly<Record<string, RegExp>> = {
  ...ofDigits(4, 'AT AU BE CH DK NO'),
  ...ofDigits(5, 'DE ES FI FR IT TR'),
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i,
  JP: /^\d{3}-?\d{4}$/,
  NL: /^\d{4} ?[A-Z]{2}$/i,
  PL: /^\d{2}-\d{3}$/,
  SE: /^\d{3} ?\d{2}$/,
  US: /^\d{5}(-\d{4})?$/,
}

/** Whether a text may be a zip code of a country. */
export function isZipCodeOf(countryCode: string, zipCode: string): boolean {
  return patterns[countryCode]?.test(zipCode) ?? true
}

function ofDigits(length: number, countryCodes: string): Record<string, RegExp> {
  return Object.fromEntries(countryCodes.split(' ').map((code) => [code, new RegExp(`^\\d{${length}}$`)]))
}
