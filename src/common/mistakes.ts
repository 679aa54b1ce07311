import { z } from 'zod'
import { didYouMean, similarTo } from './similar.ts'

/** What a type of zod is called in messages. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  date: 'a date',
}

/** The longest value that a message repeats, in characters. */
const LONGEST = 60

/** Says in our words what is wrong with a value, where its schema does not say it itself. */
export function inOurWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(TYPES[issue.expected] ?? issue.expected, issue.input)
    case 'invalid_value':
      return mustBe(oneOf(issue.values.map((value) => JSON.stringify(value))), issue.input, issue.values.map(String))
    case 'too_small':
      return mustBe(
        limit(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum),
        issue.input,
      )
    case 'too_big':
      return mustBe(
        limit(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum),
        issue.input,
      )
    case 'unrecognized_keys': {
      const members = membersOf(issue.inst)
      const expected = members.length === 0 ? '' : `; expected one of ${members.join(', ')}`
      const meant = issue.keys.flatMap((key) => similarTo(key, members).slice(0, 1))
      const advice = meant.length === 0 ? '' : `; did you mean ${meant.join(' and ')}?`
      return `no such member: ${issue.keys.join(', ')}${expected}${advice}`
    }
    case 'invalid_union':
      return mustBe('written in one of the ways that docs/comparing.md and docs/cutover.md show', issue.input)
    case 'invalid_format':
      return mustBe(`written as ${issue.format}`, issue.input)
    case 'not_multiple_of':
      return mustBe(`a multiple of ${issue.divisor}`, issue.input)
    default:
      return undefined
  }
}

function mustBe(what: string, input: unknown, words: readonly string[] = []): string {
  return `${withValue(`must be ${what}`, input)}${typeof input === 'string' ? didYouMean(input, words) : ''}`
}

/** Adds to `must be …` the value that is not so, or that there is none. Leaves other messages as they are, and longer ones. */
export function withValue(message: string, input: unknown): string {
  if (!message.startsWith('must be ') || message.includes(';') || message.includes(', and not ')) return message
  if (input === undefined) return `is missing; it ${message}`
  const written = JSON.stringify(input) ?? String(input)
  const shown = written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written
  return `${message}, and not ${shown}`
}

const oneOf = (values: readonly string[]): string => {
  const [last = '', ...others] = values.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`
}

function limit(origin: string, than: string, bound: number | bigint): string {
  if (origin === 'string') return bound === 1 ? 'a text that is not empty' : `a text of ${than} ${bound} characters`
  if (origin === 'array' || origin === 'set')
    return bound === 1 ? 'a list that is not empty' : `a list of ${than} ${bound}`
  return `${origin === 'int' ? 'a whole number of ' : ''}${than} ${bound}`
}

const membersOf = (schema: unknown): readonly string[] => {
  const shape = (schema as { readonly _zod?: { readonly def?: { readonly shape?: object } } } | undefined)?._zod?.def
    ?.shape
  return shape === undefined ? [] : Object.keys(shape)
}

/** Returns the schema of an object with only these members, which a message on anything else names. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? undefined
        : `must be an object; its members can be ${Object.keys(shape).join(', ')}`,
  })

/** Refuses a member `__proto__` with this message; zod silently leaves it out of a record. */
export function withoutProto(message: string) {
  return z.unknown().check(({ value, issues }) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return
    issues.push({ code: 'custom', path: ['__proto__'], message, input: value })
  })
}
