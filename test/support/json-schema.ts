/** Where a value breaks a schema, one problem a line: the path, and what is wrong. Empty if nothing is. */
export type Problems = readonly string[]

type Schema = Readonly<Record<string, unknown>>
type Check = (given: unknown, value: unknown, schema: Schema, at: string, document: object) => Problems

/**
 * Checks a value by a JSON Schema (draft 2020-12) whose references lead into `document`.
 * @throws an Error for an unknown keyword, if the value reaches it.
 */
export function problemsOf(value: unknown, schema: unknown, document: object, at = ''): Problems {
  return Object.entries(schemaOf(schema)).flatMap(([keyword, given]) => {
    const check = CHECKS[keyword]
    if (check !== undefined) return check(given, value, schema as Schema, at, document)
    if (ANNOTATIONS.has(keyword)) return []
    throw new Error(`${at}: the keyword ${keyword} is not known here`)
  })
}

/** Of each document, the targets of the references that were followed: large answers follow one for every item. */
const followed = new WeakMap<object, Map<string, unknown>>()

/** The target of a reference in a document. */
export function resolve(reference: string, document: object): unknown {
  const targets = followed.get(document) ?? new Map<string, unknown>()
  followed.set(document, targets)
  if (!targets.has(reference)) targets.set(reference, find(reference, document))
  return targets.get(reference)
}

function find(reference: string, document: object): unknown {
  const names = reference.replace(/^#\//, '').split('/')
  return names.reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) throw new Error(`${reference} leads nowhere`)
    return (at as Schema)[name]
  }, document)
}

const ANNOTATIONS = new Set(['description', 'format', 'default', 'examples', 'x-basis'])

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (given, value, _, at, document) => problemsOf(value, resolve(String(given), document), document, at),
  type: (given, value, _, at) =>
    [given].flat().some((type) => isOfType(value, String(type)))
      ? []
      : [`${at}: ${JSON.stringify(value)} is not of type ${[given].flat().join(' or ')}`],
  enum: (given, value, _, at) => ((given as readonly unknown[]).includes(value) ? [] : [`${at}: none of the values`]),
  pattern: (given, value, _, at) =>
    typeof value !== 'string' || new RegExp(String(given), 'u').test(value) ? [] : [`${at}: ${value} is no ${given}`],
  minimum: (given, value, _, at) => (typeof value !== 'number' || value >= Number(given) ? [] : [`${at}: too small`]),
  maximum: (given, value, _, at) => (typeof value !== 'number' || value <= Number(given) ? [] : [`${at}: too large`]),
  properties: (given, value, _, at, document) =>
    membersOf(value).flatMap(([name, member]) => {
      const schema = Object.hasOwn(schemaOf(given), name) ? schemaOf(given)[name] : undefined
      return schema === undefined ? [] : problemsOf(member, schema, document, `${at}.${name}`)
    }),
  required: (given, value, _, at) =>
    isObject(value)
      ? (given as readonly string[]).filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}: no ${name}`)
      : [],
  additionalProperties: (given, value, { properties = {} }, at) => {
    if (typeof given !== 'boolean') throw new Error(`${at}: additionalProperties can only be true or false here`)
    if (given) return []
    return membersOf(value).flatMap(([name]) =>
      Object.hasOwn(properties as Schema, name) ? [] : [`${at}: ${name} is too much`],
    )
  },
  propertyNames: (given, value, _, at, document) =>
    membersOf(value).flatMap(([name]) => problemsOf(name, given, document, `${at}.${name} as a name`)),
  maxItems: (given, value, _, at) =>
    Array.isArray(value) && value.length > Number(given) ? [`${at}: too many items`] : [],
  items: (given, value, _, at, document) =>
    Array.isArray(value) ? value.flatMap((item, index) => problemsOf(item, given, document, `${at}[${index}]`)) : [],
  anyOf: (given, value, _, at, document) => {
    const all = (given as readonly unknown[]).map((schema) => problemsOf(value, schema, document, at))
    return all.some((problems) => problems.length === 0) ? [] : all.flat()
  },
  not: (given, value, _, at, document) =>
    problemsOf(value, given, document, at).length > 0 ? [] : [`${at}: it is what it must not be`],
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const membersOf = (value: unknown): readonly [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

function schemaOf(value: unknown): Schema {
  if (!isObject(value)) throw new Error(`${JSON.stringify(value)} is no schema`)
  return value as Schema
}
