const NUMBERS = new Intl.NumberFormat('en')

/** `1,234` */
export const inNumbers = (number: number): string => NUMBERS.format(number)

/** `240 ms` */
export const inTime = (milliseconds: number): string => `${inNumbers(Math.round(milliseconds))} ms`

/** `1 minute`, `14 minutes`; from two hours up, `3 hours`, both rounded up; from three days up, `8 days`. */
export function inDuration(minutes: number): string {
  const hours = minutes / 60
  if (hours <= 2) return counted(Math.ceil(minutes), 'minute')
  return hours <= 72 ? counted(Math.ceil(hours), 'hour') : counted(Math.round(hours / 24), 'day')
}

/** `1 call`, `2 calls` */
export const counted = (count: number, one: string): string => `${inNumbers(count)} ${one}${count === 1 ? '' : 's'}`

/** `a`, `a and b`, `a, b and c` */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
