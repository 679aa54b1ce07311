/** The values of a comma-separated list, without blanks around them; empty ones are left out. */
export function splitList(list: string): string[] {
  return list
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}
