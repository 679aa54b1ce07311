import { bodyLimit } from 'hono/body-limit'
import { z } from 'zod'
import type { AuditEntry } from '../cutover/audit.ts'
import type { AuditQuery } from '../cutover/cutover-store.ts'
import { MOST_DAYS } from '../usage/usage.ts'

// What programs and forms send to the admin port, and what is wrong with it.

/** The most bytes of an order. */
export const MAX_ORDER_BYTES = 16_384

/** Answers orders of more than 16 KiB with a 413. */
export const limitOrder = bodyLimit({
  maxSize: MAX_ORDER_BYTES,
  onError: (c) => c.json({ message: `The order is larger than ${MAX_ORDER_BYTES} bytes.` }, 413),
})

/** Characters that could distort a line in a log, terminal or page: controls, lone surrogates, line ends, text directions. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** The gateway's own name where it says who decided. */
const ITSELF = /^auto$/i

/** A text of an order, without the spaces around it. */
function orderText(name: string, longest: number) {
  const error = `${name} must be text of 1 to ${longest} characters, without control characters`
  return z
    .string(error)
    .max(longest, { error, abort: true })
    .refine((text) => !UNREADABLE.test(text), { error, abort: true })
    .trim()
    .min(1, { error, abort: true })
}

/** The members that each order has. */
const SIGNED = {
  by: orderText('by', 200).refine(
    (by) => !ITSELF.test(by),
    'by must say who you are; auto is reserved for the gateway itself',
  ),
  why: orderText('why', 1_000),
}

/** An object of an order. `example`: what to send instead of anything else. */
const order = <Shape extends z.ZodRawShape>(shape: Shape, example: string) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `the only members are ${Object.keys(shape).join(', ')}`
        : `Send a JSON object: ${example}`,
  })

const NO_VERSION = 'version must be a whole number, as in GET /cutover'

/** An order to a plan. */
export const PLAN_ORDER = order(
  { ...SIGNED, version: z.int(NO_VERSION).min(0, NO_VERSION).optional() },
  '{ "by": "…", "why": "…", "version": 7 }; version is optional',
)

/** An order to end all brownouts. */
export const END_ORDER = order(SIGNED, '{ "by": "…", "why": "…" }')

/** An order as a form sends it: with the version that the page showed. */
export const FORM_ORDER = z.object({ ...SIGNED, version: z.int('the form has lost its version: start over') })

/** An order to reset the evidence of one of these operations. */
export const resetOrderOf = (operations: readonly string[]) =>
  order({ operation: orderText('operation', 100), ...SIGNED }, '{ "operation": "…", "why": "…", "by": "…" }').refine(
    ({ operation }) => operations.includes(operation),
    {
      error: noSuchOperation(operations),
      when: ({ issues }) => issues.length === 0,
    },
  )

const noSuchOperation = (operations: readonly string[], others = ''): string =>
  `operation: no such operation; expected ${others}one of ${operations.join(', ')}`

/** Reads JSON. Returns what is wrong with it in a sentence. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | string {
  const read = schema.safeParse(parsed(text))
  return read.success ? read.data : `${problemsOf(read.error)}.`
}

/** Returns what is wrong, each thing once, in words without a final full stop. */
export const problemsOf = (error: z.ZodError | undefined, ...others: readonly string[]): string =>
  [...new Set([...(error?.issues ?? []).map(({ message }) => message), ...others])].join('; ')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A whole number from 1 to `most`, as a parameter of a query. */
const wholeNumber = (name: string, most: number) => {
  const error = `${name} must be a whole number from 1 to ${most}`
  return z
    .string()
    .regex(/^[1-9]\d*$/, { error, abort: true })
    .transform(Number)
    .pipe(z.number().max(most, error))
}

/** The parameters of `GET /proposals`. */
export const proposalsParameters = (operations: readonly string[]) => ({
  operation: z.enum([...operations], noSuchOperation(operations)).optional(),
})

/** The parameters of `GET /audit`. `*` stands for entries that do not concern a single operation. */
export const auditParameters = (operations: readonly string[]) => ({
  operation: z.enum([...operations, '*'], noSuchOperation(operations, '* or ')).optional(),
  before: z
    .string()
    .transform(readCursor)
    .refine((cursor) => cursor !== undefined, 'before must be the value of next in the previous answer')
    .optional(),
  limit: wholeNumber('limit', 1_000).default(100),
})

/** The parameters of `GET /clients`. */
export const clientsParameters = (operations: readonly string[]) => ({
  days: wholeNumber('days', MOST_DAYS).default(30),
  operation: z.enum([...operations], noSuchOperation(operations)).optional(),
})

/** Reads the parameters of a query, each given at most once. Returns what is wrong with them in a sentence. */
export function readQuery<Shape extends z.ZodRawShape>(
  parameters: Shape,
  given: Readonly<Record<string, readonly string[]>>,
): z.output<z.ZodObject<Shape>> | string {
  const names = Object.keys(parameters)
  const error = `the only parameters are ${names.join(names.length === 2 ? ' and ' : ', ')}, each at most once`
  const values = Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value]))
  const read = z.strictObject(parameters, error).safeParse(values)
  const isOnce = Object.values(given).every(({ length }) => length === 1)
  if (read.success && isOnce) return read.data
  return `${problemsOf(read.error, ...(isOnce ? [] : [error]))}.`
}

/** A time in UTC and an id. An id made of an operation and a time contains a space. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)_([ -~]{1,200})$/

/** Returns the value of `before` that continues after an entry. */
export const cursorOf = ({ at, id }: Pick<AuditEntry, 'at' | 'id'>): string => `${at}_${id}`

/** Reads a value that `cursorOf` returned; undefined for any other text. */
export function readCursor(text: string): AuditQuery['before'] {
  const [, at = '', id = ''] = CURSOR.exec(text) ?? []
  // JavaScript turns a date that does not exist, such as 30 February, into another one.
  const isTime = !Number.isNaN(Date.parse(at)) && new Date(at).toISOString().slice(0, 19) === at.slice(0, 19)
  return isTime ? { at, id } : undefined
}
