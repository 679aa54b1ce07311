import type { Operation } from '../mapping/operation.ts'
import type { RecordedExchange } from '../recording/read-request.ts'
import { type Json, startOf } from './input.ts'

/** A value for an input. */
export interface Chosen {
  /** Undefined to leave the member out. */
  readonly value: Json | undefined
  /** The member of an answer that held the value, which may then be personal and never appears in reports. Undefined if it is from no answer. */
  readonly from: string | undefined
}

/** A request to make: values of inputs, by path. All other inputs are as in `startOf`. */
export interface Draft {
  readonly operation: Operation
  readonly set: ReadonlyMap<string, Chosen>
  readonly language?: 'en' | 'tr'
  /** A body that replaces all of these. */
  readonly raw?: string
}

/** Makes the request of a draft, as if a recording held it in this line. */
export function requestOf({ operation, set, language, raw }: Draft, line: number): RecordedExchange {
  const { method, path } = operation.legacy
  const headers = language === undefined ? {} : { 'accept-language': language }
  if (operation.request.kind === 'query-parameters') {
    const query = new URLSearchParams(
      [...set].flatMap(([name, { value }]): [string, string][] =>
        value === undefined || value === null ? [] : [[name, String(value)]],
      ),
    ).toString()
    return { line, method, path: query === '' ? path : `${path}?${query}`, headers }
  }
  const body = raw ?? JSON.stringify([...set].reduce(withMember, startOf(operation)))
  return { line, method, path, headers: { ...headers, 'content-type': 'application/json' }, body: Buffer.from(body) }
}

/** Returns a body with another value at a path. Does not add missing items to lists. */
function withMember(body: Json, [path, { value }]: readonly [string, Chosen]): Json {
  return put(body, path.split('.'), value)
}

function put(into: Json, [name = '', ...rest]: readonly string[], value: Json | undefined): Json {
  if (Array.isArray(into)) {
    const items = into as readonly Json[]
    const inner = rest.length === 0 ? value : put(items[Number(name)] ?? {}, rest, value)
    return items.flatMap((item, at) => (at === Number(name) ? (inner === undefined ? [] : [inner]) : [item]))
  }
  const members = typeof into === 'object' && into !== null ? (into as Readonly<Record<string, Json>>) : {}
  const inner = rest.length === 0 ? value : put(members[name] ?? {}, rest, value)
  if (inner !== undefined) return { ...members, [name]: inner }
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))
}

/**
 * Says what a draft asks: the inputs that it sets, and their values. A value from an answer's member `name` is written as
 * `<name>`.
 */
export function sayDraft({ operation, set, language, raw }: Draft): string {
  const inputs = [...set].map(([path, { value, from }]) => {
    if (value === undefined) return `without ${path}`
    return `${path}=${from === undefined ? shortened(JSON.stringify(value)) : `<${from}>`}`
  })
  const body = raw === undefined ? inputs : [raw === '' ? 'no body' : `body ${raw}`]
  const nothing = operation.request.kind === 'body' ? 'the example of the mapping' : 'no parameters'
  return [...(body.length === 0 ? [nothing] : body), ...(language === undefined ? [] : [`in ${language}`])].join(', ')
}

const MOST_SHOWN = 40

const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
