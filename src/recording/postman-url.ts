import { z } from 'zod'
import { type Filler, textOf } from './postman-variables.ts'

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
export function targetOf(url: PostmanUrl, { fill }: Filler): string | { readonly problem: string } {
  const { raw, path, query, variable } = typeof url === 'string' ? { raw: url } : url
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
  const found = variables.find(({ key, id, disabled }) => (key ?? id) === name && disabled !== true)
  return textOf(found?.value) || undefined
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
