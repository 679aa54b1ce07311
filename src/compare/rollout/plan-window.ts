import { z } from 'zod'
import { strictObject } from './strict-object.ts'

/** When a step may be taken, in local time. */
export interface Window {
  /** Days of the week, 1 (Monday) to 7 (Sunday). */
  readonly days: readonly number[]
  /** `09:00`. */
  readonly from: string
  /** `16:00`; if earlier than `from`, on the next day. */
  readonly to: string
  /** An IANA time zone: `Europe/Istanbul`. */
  readonly zone: string
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const DAYS_WRITTEN = 'must be days of the week, for instance "Mon-Thu" or "Mon,Wed,Fri"'
const TIME = 'must be a time of day, from "00:00" to "23:59"'
const ZONE = 'must be an IANA time zone, for instance "Europe/Istanbul" or "UTC"'

const time = z.string(TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, TIME)

/** The schema of a window. It turns days into their numbers. */
export const planWindow = strictObject({
  days: z.string(DAYS_WRITTEN).transform((text, { addIssue }) => {
    const numbers = daysOf(text)
    if (numbers === undefined) addIssue(`${DAYS_WRITTEN}; got ${JSON.stringify(text)}`)
    return numbers ?? []
  }),
  from: time,
  to: time,
  zone: z.string(ZONE).refine(isZone, { error: ({ input }) => `${ZONE}; got ${JSON.stringify(input)}` }),
}).refine(({ from, to }) => from !== to, {
  path: ['to'],
  when: ({ value }) => typeof value === 'object' && value !== null && 'from' in value && 'to' in value,
  error: 'must be another time than from; for a whole day write "00:00" and "23:59"',
})

/** Reads `Mon-Thu`, `Mon,Wed,Fri`, or a mix of both; a span may go past Sunday. Undefined: the text is malformed. */
function daysOf(text: string): readonly number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const ends = part.split('-').map((name) => DAYS.indexOf(name.trim()))
    const [from = -1, to = from] = ends
    if (ends.length > 2 || from < 0 || to < 0) return undefined
    for (let day = from; ; day = (day + 1) % DAYS.length) {
      found.add(day + 1)
      if (day === to) break
    }
  }
  return [...found].sort((a, b) => a - b)
}

/** Writes days as a plan names them: `Mon-Thu`, `Mon,Wed`. */
export function daysText(days: readonly number[]): string {
  const [first = 1] = days
  const isSpan = days.length > 1 && days.every((day, at) => day === first + at)
  const names = days.map((day) => DAYS[day - 1])
  return isSpan ? `${names[0]}-${names.at(-1)}` : names.join(',')
}

/** Whether a text names a zone. Offsets such as `+03:00` do not: they do not say when clocks change. */
function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
