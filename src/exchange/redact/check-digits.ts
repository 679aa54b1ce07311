/*
 * The check digits of Turkey's identity numbers (T.C. kimlik numarası, 11 digits) and tax numbers (vergi kimlik
 * numarası, 10 digits). Both algorithms are public.
 */

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Returns the last two digits of an identity number, from its first nine. */
function identityEnd(nine: readonly number[]): readonly number[] {
  const odd = sum(nine.filter((_, at) => at % 2 === 0))
  const even = sum(nine.filter((_, at) => at % 2 === 1))
  const tenth = (7 * odd + 9 * even) % 10
  return [tenth, (odd + even + tenth) % 10]
}

/** Returns the last digit of a tax number, from its first nine. */
function taxEnd(nine: readonly number[]): readonly number[] {
  const parts = nine.map((digit, at) => {
    const shifted = (digit + 9 - at) % 10
    return shifted === 0 ? 0 : (shifted * 2 ** (9 - at)) % 9 || 9
  })
  return [(10 - (sum(parts) % 10)) % 10]
}

/** What computes the check digits, by the number of digits. */
const ENDS: Readonly<Partial<Record<number, typeof taxEnd>>> = { 10: taxEnd, 11: identityEnd }

/** Whether these are the digits of a tax or identity number, with valid check digits. */
export function isChecked(digits: readonly number[]): boolean {
  if (digits.length === 11 && digits[0] === 0) return false
  const end = ENDS[digits.length]?.(digits.slice(0, 9))
  return end?.every((digit, at) => digits[9 + at] === digit) === true
}

/**
 * Returns the digits with valid check digits if the original ones are valid, otherwise with invalid ones. Changes only digits at
 * the end.
 */
export function checkedAs(original: readonly number[], digits: readonly number[]): readonly number[] {
  if (isChecked(original)) return [...digits.slice(0, 9), ...(ENDS[digits.length]?.(digits.slice(0, 9)) ?? [])]
  return isChecked(digits) ? digits.with(-1, ((digits.at(-1) ?? 0) + 1) % 10) : digits
}
