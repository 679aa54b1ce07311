import { z } from 'zod'

/** Variables by name, as texts. */
export type Variables = ReadonlyMap<string, string>

/** The total length of all texts of a request after filling in variables, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024
/** The length that each variable adds besides that of its value, so that nesting of short variables also ends. */
const EACH = 1_000
const VARIABLE = /\{\{([^{}]*)\}\}/g

/**
 * Returns the variables in scope inside a folder: the outer ones, overridden by its own list. A variable with an empty value
 * is left out: Postman exports only shared values and leaves local ones empty.
 */
export function within(outer: Variables, list: unknown): Variables {
  if (!Array.isArray(list)) return outer
  const ofFolder = list.flatMap((variable: unknown) => {
    const { key, id, value, disabled } = Object(variable) as Record<string, unknown>
    const name = key ?? id
    const text = textOf(value)
    return typeof name === 'string' && text && disabled !== true ? [[name, text] as const] : []
  })
  return new Map([...outer, ...ofFolder])
}

/** Returns a value as request text; undefined: there is no value. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Fills variables into the texts of a request. */
export class Filler {
  /** The reason why the texts so far cannot be used; undefined: they can. */
  problem: string | undefined
  #left = MAX_TEXT
  readonly #variables: Variables

  constructor(variables: Variables) {
    this.#variables = variables
  }

  /** Replaces each `{{name}}` with its value, also inside values. @param open the variables whose values are being filled. */
  fill(text: string, open: readonly string[] = []): string {
    return text.replaceAll(VARIABLE, (_, written: string) => {
      const name = written.trim()
      const value = this.#variables.get(name)
      if (value === undefined) this.problem ??= `{{${name}}} has no value among the variables of the collection`
      else if (open.includes(name)) this.problem ??= `{{${name}}} refers to itself`
      else this.#left -= value.length + EACH
      if (this.#left < 0) this.problem ??= `its variables make it longer than ${MAX_TEXT} characters`
      return value === undefined || this.problem !== undefined ? '' : this.fill(value, [...open, name])
    })
  }
}

/** A parameter, a header or a path variable. */
export const parameter = z.object({
  key: z.string().nullish(),
  value: z.unknown().optional(),
  disabled: z.boolean().nullish(),
})

type Parameter = z.infer<typeof parameter>

/** A URL in a collection: a text, or an object with its parts. */
export const postmanUrl = z.union([
  z.string(),
  z.object({
    raw: z.string().nullish(),
    path: z.union([z.string(), z.array(z.union([z.string(), z.object({ value: z.string() })]))]).nullish(),
    query: z.array(parameter).nullish(),
    variable: z.array(parameter.extend({ id: z.string().nullish() })).nullish(),
  }),
])

type PostmanUrl = z.infer<typeof postmanUrl>

interface Parts {
  readonly host: string
  readonly path: string
  readonly query: string | undefined
}

/** Matches scheme and host, either of which may be a variable, then the path and the query. */
const PARTS = /^(?:[^/?#]*:\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/
/** Characters that Postman encodes; in the names and values of parameters it encodes more. Existing escapes stay. */
const UNSAFE = /(?:[^\x21-\x7e]|["#<>`{}])+/g
const UNSAFE_IN_NAMES = /[&=]/g
const UNSAFE_IN_VALUES = /&/g

/** Returns the path and query to send, or a problem. The host is never used, so its variables need no value. */
export function targetOf(url: PostmanUrl, filler: Filler): string | { readonly problem: string } {
  const { raw, path, query, variable } = typeof url === 'string' ? { raw: url } : url
  const fill = (text: string): string => filler.fill(text)
  let parts = partsOf(raw ?? '')
  // A variable may hold a whole URL; then at most a query follows it.
  if (!path && parts.path === '' && parts.host.includes('{{')) {
    const whole = partsOf(fill(parts.host))
    parts = { ...whole, query: parts.query ?? whole.query }
  }
  const segments: string[] = []
  for (const segment of segmentsOf(path ?? parts.path)) {
    const text = segment.startsWith(':') && segment !== ':' ? pathVariable(segment.slice(1), variable ?? []) : segment
    if (text === undefined) return { problem: `the path variable ${segment} has no value` }
    segments.push(encoded(fill(text)))
  }
  const asked = query
    ? query
        .filter(isSent)
        .map((one) => written(one, fill))
        .join('&')
    : encoded(fill(parts.query ?? ''))
  return `/${segments.join('/')}${asked === '' ? '' : `?${asked}`}`
}

function partsOf(url: string): Parts {
  const [, host = '', path = '', query] = PARTS.exec(url.trim()) ?? []
  return { host, path, query }
}

function segmentsOf(path: NonNullable<Exclude<PostmanUrl, string>['path']>): readonly string[] {
  if (typeof path === 'string') return path.replace(/^\//, '').split('/')
  return path.map((segment) => (typeof segment === 'string' ? segment : segment.value))
}

/** Returns the value of a path variable; undefined: it has none. */
function pathVariable(
  name: string,
  variables: NonNullable<Exclude<PostmanUrl, string>['variable']>,
): string | undefined {
  const variable = variables.find(({ key, id, disabled }) => (key ?? id) === name && disabled !== true)
  return textOf(variable?.value) || undefined
}

const isSent = ({ key, value, disabled }: Parameter): boolean =>
  disabled !== true && (textOf(key) !== undefined || textOf(value) !== undefined)

function written({ key, value }: Parameter, fill: (text: string) => string): string {
  const name = encoded(fill(key ?? ''), UNSAFE_IN_NAMES)
  const text = textOf(value)
  return text === undefined ? name : `${name}=${encoded(fill(text), UNSAFE_IN_VALUES)}`
}

function encoded(text: string, ...others: readonly RegExp[]): string {
  return [UNSAFE, ...others].reduce(
    (soFar, unsafe) => soFar.replaceAll(unsafe, (found) => encodeURIComponent(found.toWellFormed())),
    text,
  )
}
