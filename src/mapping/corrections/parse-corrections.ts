import { z } from 'zod'
import { inOurWords, strictObject, withoutProto } from '../../common/mistakes.ts'
import { didYouMean } from '../../common/similar.ts'
import { doubledMembers, jsonMistake } from '../../engine/json/text-mistakes.ts'
import { type Corrections, CorrectionsError } from './corrections.ts'

const FORMS = ['string', 'number', '0/1', 'timestamp', 'date', 'epoch', 'upper', 'lower'] as const
/** The forms that can be undone, so that requests may use them. */
const REVERSIBLE = ['string', 'number', '0/1', 'timestamp', 'epoch'] as const
const LARGEST_SCALE = 9

const sentence = z.string().trim().min(1)
const path = z.string().min(1)
const scalar = z.union([z.string(), z.number(), z.boolean()], 'must be a text, a number, true or false')

const ENUM = 'must be legacy names with their v1 names, as in {"open": "ACTIVE"}, or pairs, as in [[1, "ACTIVE"]]'
const enumNames = z.union(
  [
    z
      .record(z.string(), z.string())
      .refine((names) => Object.keys(names).length > 0, ENUM)
      .meta({ minProperties: 1 }),
    z.array(z.tuple([scalar, scalar])).min(1),
  ],
  ENUM,
)

const conversion = <Forms extends readonly [string, ...string[]]>(forms: Forms) => ({
  as: z.enum(forms).optional(),
  scale: z.int().min(1).max(LARGEST_SCALE).optional(),
  enum: enumNames.optional(),
})

const conversions = ({ as, scale, enum: names }: { as?: unknown; scale?: unknown; enum?: unknown }): number =>
  [as, scale, names].filter((member) => member !== undefined).length

const ONE_CONVERSION = 'has more than one of as, scale and enum; keep one'

const said = z.unknown().refine((value) => value !== undefined, 'is missing')
const drop = z.literal(true)

/** The ways of writing a line of an answer, by the member that tells them apart. */
const ANSWER = {
  from: strictObject({
    from: path.describe('the path in v1, from the root of its body'),
    ...conversion(FORMS),
    absent: z.enum(['null', 'missing']).optional(),
  }).refine((line) => conversions(line) <= 1, ONE_CONVERSION),
  join: strictObject({
    join: z
      .array(
        z.union(
          [z.string(), z.strictObject({ text: z.string() })],
          'must be a path of v1, a text, or {"text": "a text that looks like a path"}',
        ),
      )
      .min(1)
      .describe('paths of v1, and texts between them'),
  }),
  always: strictObject({ always: said.describe('the value in every answer') }),
  lost: strictObject({ lost: sentence.describe('why v1 cannot give it') }),
  drop: strictObject({ drop: drop.describe('legacy does not have this member of v1') }),
}

/** The ways of writing a line of a request. */
const REQUEST = {
  to: strictObject({ to: path.describe('the name or path in v1'), ...conversion(REVERSIBLE) }).refine(
    (line) => conversions(line) <= 1,
    ONE_CONVERSION,
  ),
  drop: strictObject({ drop: drop.describe('v1 does not get it') }),
}

const answerLine = z.union([ANSWER.from, ANSWER.join, ANSWER.always, ANSWER.lost, ANSWER.drop])
const requestLine = z.union([REQUEST.to, REQUEST.drop])

const NO_PATH = 'is no path'

/** The schema of MAPPING_FILE. @param named the schema of an operation's id. */
export const correctionsFile = (named: z.ZodType<string, string>) =>
  z.strictObject({
    /** For editors, which check the file while someone writes it. */
    $schema: z.string().optional(),
    operations: withoutProto('no such operation')
      .pipe(
        z.partialRecord(
          named,
          strictObject({
            why: sentence.optional().describe('why these lines are here'),
            by: sentence.optional().describe('who decided it'),
            response: withoutProto(NO_PATH).pipe(z.record(z.string(), answerLine)).optional(),
            request: withoutProto(NO_PATH).pipe(z.record(z.string(), requestLine)).optional(),
          }),
        ),
      )
      .default({}),
  })

/**
 * Parses the text of MAPPING_FILE. Without a file, use `{}`. `correct` checks what depends on the mappings.
 * @throws CorrectionsError that lists every mistake.
 */
export function parseCorrections(text: string): Corrections {
  const written = text.replace(/^\uFEFF/, '')
  let json: unknown
  try {
    json = JSON.parse(written)
  } catch (error) {
    throw new CorrectionsError([jsonMistake(written) ?? 'not JSON'], { cause: error })
  }
  const { data, error } = correctionsFile(z.string()).safeParse(json, { error: inOurWords })
  const problems = [
    ...doubledMembers(written).map((place) => `${place}: written more than once; keep one`),
    ...new Set((error?.issues ?? []).flatMap((issue) => problemsOf(issue, json))),
  ]
  if (data === undefined || problems.length > 0) throw new CorrectionsError(problems)
  return { operations: data.operations as Corrections['operations'] }
}

/** The names in front of a mistake: `operations.city-list.response.[].plate`. */
const placeOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the file'

/** A mistake in a line is said by the way of writing that was meant: no union can tell. */
function problemsOf({ path, message }: z.core.$ZodIssue, json: unknown): readonly string[] {
  const [operations, , part] = path
  const line = path.slice(0, LINE)
  const isInLine = operations === 'operations' && line.length === LINE && (part === 'response' || part === 'request')
  const { [LINE - 1]: name } = path
  if (!isInLine || name === '__proto__') return [`${placeOf(path)}: ${message}`]
  return problemsOfLine(valueAt(json, line), part).map((problem) => `${placeOf(line)}${problem}`)
}

/** How many names lead to a line: `operations`, the operation, `response` or `request`, the legacy path. */
const LINE = 4

const valueAt = (json: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Readonly<Record<PropertyKey, unknown>>)[name], json)

/** Says what is wrong with a line, by the way of writing that its first telling member belongs to. */
function problemsOfLine(line: unknown, part: 'response' | 'request'): readonly string[] {
  const ways: Readonly<Record<string, z.ZodType>> = part === 'response' ? ANSWER : REQUEST
  const names = Object.keys(ways)
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  if (typeof line !== 'object' || line === null || Array.isArray(line))
    return [`: must be an object with one of ${expected}`]
  const members = Object.keys(line)
  const telling = members.filter((member) => names.includes(member))
  const [way] = telling
  if (way === undefined) {
    const unknown = members.filter((member) => !OF_VALUES.includes(member))
    const meant = unknown.map((member) => didYouMean(member, names)).find((hint) => hint !== '') ?? ''
    return [`: must have one of ${expected}${unknown.length > 0 ? `, and not ${unknown.join(', ')}` : ''}${meant}`]
  }
  if (telling.length > 1) return [`: has ${telling.join(' and ')}; a line has only one of them`]
  const { error } = (ways[way] as z.ZodType).safeParse(line, { error: inOurWords })
  return (error?.issues ?? []).map(({ code, path: at, message, ...issue }) => {
    const foreign = code === 'unrecognized_keys' ? (issue as { keys: readonly string[] }).keys : []
    const ofValues = foreign.filter((key) => OF_VALUES.includes(key))
    if (ofValues.length > 0 && ofValues.length === foreign.length && part === 'response' && way !== 'from')
      return `: ${ofValues.join(' and ')} can stand only beside from, not beside ${way}`
    return `${at.map((name) => `.${String(name)}`).join('')}: ${message}`
  })
}

/** Members that say how a value changes. They stand beside `from` and `to`. */
const OF_VALUES: readonly string[] = ['as', 'scale', 'enum', 'absent']
