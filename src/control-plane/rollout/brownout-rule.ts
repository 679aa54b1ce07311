import { createHash } from 'node:crypto'
import { z } from 'zod'
import { strictObject } from '../../common/mistakes.ts'
import { DAY_MS, HOUR_MS } from '../../common/time.ts'

/** The most clients that are listed for a brownout. If so many are, there may be more. */
export const MOST_LISTED = 1_000

/** A longer brownout would be an outage. */
const LONGEST_HOURS = 24

const TIME = 'must be a time with an offset, for instance "2027-05-03T09:00:00+03:00"'
const END = `a brownout needs an end, at most ${LONGEST_HOURS} hours after from, for instance "2027-05-03T10:00:00+03:00"`
const PERCENT = 'must be a percentage, above 0 and up to 100'
const EXCEPT = 'must be ids of clients, for instance ["big-shop"]'
const WHY = 'must be a sentence that says why'

const bounds = z.object({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime({ offset: true }) })

/** Returns how long a brownout lasts, in hours; undefined: a time is invalid, which another check reports. */
function hoursOf(rule: unknown): number | undefined {
  const { data } = bounds.safeParse(rule)
  return data && (Date.parse(data.to) - Date.parse(data.from)) / HOUR_MS
}

/** A period in which some calls are refused, so that the last clients notice that the interface will go. */
export type BrownoutRule = Readonly<z.output<ReturnType<typeof brownoutRule>>>

/** The schema of a brownout. It fills in the defaults. @param operation the schema of an operation, or of `*`. */
export const brownoutRule = (operation: z.ZodType<string>) =>
  strictObject({
    operations: z
      .array(operation, 'must be ids of operations, or ["*"]')
      .min(1, 'names no operation; expected ids of operations, or ["*"]')
      .readonly(),
    from: z.iso.datetime({ offset: true, error: TIME }),
    to: z.iso.datetime({ offset: true, error: ({ input }) => (input === undefined ? END : TIME) }),
    /** The percentage that is refused. */
    percent: z.number(PERCENT).gt(0, PERCENT).max(100, PERCENT),
    /** What the percentage applies to. `calls`: any call may be refused. `clients`: each client is either always or never refused. */
    of: z.enum(['calls', 'clients'], 'must be "calls" or "clients"').default('calls'),
    status: z.literal([410, 500, 503], 'must be 410, 500 or 503').default(503),
    /** Clients that are never refused, named as in `clients`. */
    except: z.array(z.string(EXCEPT).min(1, EXCEPT), EXCEPT).readonly().default([]),
    why: z.string(WHY).trim().min(1, WHY),
  }).refine((rule) => problemOfEnd(rule) === undefined, {
    path: ['to'],
    // Runs even if other members are invalid, so that all problems are reported at once.
    when: ({ value }) => hoursOf(value) !== undefined,
    error: ({ input }) => problemOfEnd(input),
  })

function problemOfEnd(rule: unknown): string | undefined {
  const hours = hoursOf(rule) ?? 1
  if (hours <= 0) return 'must be after from'
  if (hours <= LONGEST_HOURS) return undefined
  return `is ${Math.round(hours * 10) / 10} hours after from; a brownout lasts ${LONGEST_HOURS} hours at most`
}

/** Returns the day (UTC) on which a brownout begins, as a number of days since 1970-01-01. @param from ms since the epoch. */
export const beginningDay = (from: number): number => Math.floor(from / DAY_MS)

/**
 * Returns until when a brownout's calls are counted one by one; ms since the epoch. It ends within 24 hours, so on the day of its beginning or
 * on the next. On later days, every call comes after its end, and the usage of whole days suffices.
 */
export const countedUntil = (from: number): number => (beginningDay(from) + 2) * DAY_MS

/** How many characters of a hash distinguish the brownouts of a file: 72 bits. */
const LENGTH = 12

/**
 * Returns the name under which a brownout's calls are counted: a short hash of when it begins and of its operations. It stays the same when the
 * file is rearranged, and when `from` has another offset or the operations another order.
 */
export const brownoutKey = ({ from, operations }: Pick<BrownoutRule, 'from' | 'operations'>): string =>
  createHash('sha256')
    .update(JSON.stringify([Date.parse(from), [...new Set(operations)].sort()]))
    .digest('base64url')
    .slice(0, LENGTH)

/** Reads only what distinguishes brownouts. What is invalid by itself is reported elsewhere. */
const told = z.object({ from: z.iso.datetime({ offset: true }), operations: z.array(z.string()) })
const file = z.object({ brownouts: z.array(told.optional().catch(undefined)) })

/**
 * Returns the brownouts that begin when an earlier one in the file does and have the same operations, with their places. Their calls would
 * count together, and they would choose the same clients.
 * @param json the file, which may be invalid in any way.
 */
export function equalBrownouts(json: unknown): readonly string[] {
  const first = new Map<string, number>()
  return (file.safeParse(json).data?.brownouts ?? []).flatMap((rule, at) => {
    if (rule === undefined) return []
    const key = brownoutKey(rule)
    const before = first.get(key)
    if (before === undefined) first.set(key, at)
    return before === undefined ? [] : [`brownouts.${at}: ${whyNot(before)}`]
  })
}

const whyNot = (before: number): string =>
  `has the same from and operations as brownouts.${before}, so their calls would count together; change one of them`
