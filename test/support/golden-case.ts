import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Null means that the header must be missing. */
const expectedHeaders = z.record(z.string().regex(/^[a-z-]+$/), z.string().nullable()).default({})

/** At most one of them; `text` is exact, even in white space and digits. */
const body = { body: z.json().optional(), text: z.string().optional() }

const goldenCase = z.strictObject({
  /** One sentence that says what this exchange shows. */
  says: z.string().min(10),
  legacy: z.strictObject({
    method: z.string(),
    path: z.string(),
    headers: z.record(z.string(), z.string()).default({}),
    ...body,
    /** For bytes that are not text. */
    base64: z.base64().optional(),
  }),
  /** The calls of v1, in order, with v1's answers. The order of query parameters does not matter. */
  v1: z.array(
    z.strictObject({
      asked: z.strictObject({ method: z.string(), path: z.string(), headers: expectedHeaders, ...body }),
      answers: z.strictObject({
        status: z.int().default(200),
        headers: z.record(z.string(), z.string()).default({}),
        ...body,
      }),
    }),
  ),
  answer: z.strictObject({
    status: z.int(),
    headers: expectedHeaders,
    ...body,
    /** Replaces `body` when not every member is fixed: the members that are, at least one. */
    includes: z
      .record(z.string(), z.json())
      .refine((members) => Object.keys(members).length > 0, 'asserts nothing')
      .optional(),
  }),
})

export type GoldenCase = z.output<typeof goldenCase>

/** A case that was distilled from a recording: nobody recorded what v1 answers, so it says only what v1 is asked first. */
const recordedCase = z.strictObject({
  ...goldenCase.shape,
  v1: z.array(z.strictObject({ asked: goldenCase.shape.v1.element.shape.asked })).max(1),
  /** Which calls of v1 follow, or why it is not asked. */
  note: z.string().optional(),
  /** What the legacy service answered; missing: the recording does not say. */
  answer: z.strictObject({ status: z.int(), ...body }).optional(),
  /** When it was recorded, under which key it was redacted, and who answered; missing members are unknown. */
  recorded: z.strictObject({
    at: z.iso.datetime().optional(),
    key: z
      .string()
      .regex(/^[\da-f]{12}$/)
      .optional(),
    answeredBy: z.enum(['legacy', 'v1']).optional(),
  }),
})

export type RecordedCase = z.output<typeof recordedCase>

/** Reads a case that was distilled from a recording (docs/clients.md). */
export const readRecordedCase = (file: string): RecordedCase =>
  recordedCase.parse(JSON.parse(readFileSync(file, 'utf8')))

/** The situations of an operation, by file name. */
export function situationsOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
}

/** Reads one case; `{ "$ids": [401, 600] }` in it stands for the rows `{ "id": 401 }` to `{ "id": 600 }`. */
export function readCase(folder: string, situation: string): GoldenCase {
  const text = readFileSync(join(folder, `${situation}.json`), 'utf8')
  return goldenCase.parse(
    JSON.parse(text, (_, value: unknown) => {
      const range = ids.safeParse(value).data?.$ids
      return range === undefined ? value : rowsWithIds(...range)
    }),
  )
}

const ids = z.strictObject({ $ids: z.tuple([z.int(), z.int()]) })

/** Rows with only an id. */
export function rowsWithIds(from: number, to: number): { id: number }[] {
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => ({ id: from + index }))
}
