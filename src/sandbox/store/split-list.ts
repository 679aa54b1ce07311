/** Splits a comma-separated list. Removes blanks around values, and leaves out empty values. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
