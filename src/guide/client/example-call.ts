import type { Marks } from '../../control-plane/usage/usage.ts'
import type { CompiledOperation } from '../../engine/compile/compile-operations.ts'
import { JsonError } from '../../engine/json/scan-json.ts'
import { typeAt } from '../../engine/json/walk-json.ts'
import type { LegacyInput, V1Call } from '../../engine/translate-request.ts'
import { CREDENTIAL_NAMES, PERSONAL_NAMES, redactedNames, redactJson, redactQuery } from '../../exchange/redact.ts'
import type { Operation } from '../../mapping/operation.ts'
import { isObject, type Json, requestExample } from '../examples/samples.ts'
import { indented, sentAs } from '../examples/translated.ts'
import { headersOf, shownBody, withoutSecrets } from '../explain/curl.ts'
import { unread } from '../explain/explain-call.ts'
import { explain } from '../lines/explain.ts'
import type { GuideCall } from './client-guide.ts'
import { countOf, type UsedOperation } from './used-operation.ts'

/** The legacy call that a guide shows, and the v1 call that the engine makes of it. */
export interface ShownCall {
  readonly query: string
  readonly body: string | undefined
  readonly language: 'tr' | 'en'
  readonly call: V1Call
  /** What would not be sent to v1, by legacy path. */
  readonly dropped: readonly string[]
  readonly isOwn: boolean
  /** How many of its successful calls have the same members, at least; undefined: it is not the client's own. */
  readonly alike: { readonly calls: number; readonly of: number } | undefined
  /** Whether it is the mapping's unchanged example, which may differ from what the client sends. */
  readonly isExample: boolean
  readonly hasPlaceholders: boolean
}

type Written = Pick<ShownCall, 'query' | 'body'>

/** A longer body would not help anyone see what to change. */
const LONGEST_BODY = 16_384

/**
 * Returns the call to show: the client's own typical call. If there is none, or it asks for what v1 no longer has, the mapping's example
 * with the members that the client sends. Undefined: v1 has no equivalent.
 */
export function shownCall(operation: CompiledOperation, used: UsedOperation): ShownCall | undefined {
  const { mapping } = operation
  if (mapping.v1 === undefined) return undefined
  const language = languageOf(used)
  for (const { isOwn, isExample, written } of candidates(operation, used)) {
    const call = withPlaceholders(written)
    if (call === undefined) continue
    const input = inputOf(call)
    const translated = operation.translateRequest(input)
    if (translated.call === undefined || translated.call.matchesNothing) continue
    const hasPlaceholders = call.body !== written.body || call.query !== written.query
    const dropped = [...translated.dropped, ...unread(mapping, input)]
    const { example } = used
    const alike = isOwn && example ? { calls: example.alike, of: example.of } : undefined
    return { ...call, language, call: translated.call, dropped, isOwn, alike, isExample, hasPlaceholders }
  }
  return undefined
}

interface Candidate extends Pick<ShownCall, 'isOwn' | 'isExample'> {
  readonly written: Written
}

/** The calls that a guide can show, best first. */
function candidates({ mapping }: CompiledOperation, { example, seen }: UsedOperation): readonly Candidate[] {
  const isShort = (example?.body?.length ?? 0) <= LONGEST_BODY
  const ownCall =
    example !== undefined && isShort ? [{ isOwn: true, isExample: false, written: writtenOf(example) }] : []
  const members = requestExample(mapping)
  if (members === undefined) return ownCall
  const madeUp = (sent: object, isExample: boolean): Candidate => ({
    ...{ isOwn: false, isExample, written: written(mapping, sent) },
  })
  // What the client sends is unknown if no call was examined. Where v1's path needs a member, only the whole example makes a call.
  const asSent = seen.calls === 0 ? [] : [madeUp(restrictedExample(mapping, members, seen.members), false)]
  return [...ownCall, ...asSent, madeUp(members, true)]
}

const writtenOf = ({ query, body }: Written): Written => ({ query, body: body === '' ? undefined : body })

function written(mapping: Operation, members: object): Written {
  const { query, body } = sentAs(mapping, members)
  return { query, body: body && JSON.stringify(body) }
}

/** Undefined: the body is not JSON. */
function withPlaceholders({ query, body }: Written): Written | undefined {
  try {
    return { query: queryWithPlaceholders(query), body: body === undefined ? undefined : bodyWithPlaceholders(body) }
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}

const inputOf = ({ query, body }: Written): LegacyInput => ({ query, body: Buffer.from(body ?? '') })

function languageOf({ example, seen: { languages } }: UsedOperation): 'tr' | 'en' {
  return example?.language ?? (countOf(languages, 'en') > countOf(languages, 'tr') ? 'en' : 'tr')
}

/** Writes the call as the client makes it. `root` is the address of the legacy interface, or what its paths begin with. */
export function legacyCall(
  { mapping }: CompiledOperation,
  { query, body, language }: ShownCall,
  root: string,
): GuideCall {
  const { legacy, authorization } = mapping
  return {
    method: legacy.method,
    url: `${root}${legacy.path}${query === '' ? '' : `?${query}`}`,
    headers: headersOf(
      authorization === 'token',
      language === 'en' ? language : undefined,
      body === undefined ? undefined : 'application/json',
    ),
    body: body === undefined ? undefined : indented(shownBody(withoutSecrets(Buffer.from(body)))),
  }
}

const NAMES = [...PERSONAL_NAMES, ...CREDENTIAL_NAMES].map((name) => ({
  name,
  names: redactedNames({ personal: [name], secret: [] }),
}))

/** Values that v1 accepts, for members whose format it may check. */
const CHECKED: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  phone: '+905550000000',
  tcNo: '10000000146',
}
/** Stands for a number, such as a tax number that was sent as a number. */
const NUMBER = '1234567890'

/** Returns what stands for a value: `<first name>` for `firstName`, `<CLIENT_ID>` for the credential `clientId`. */
function placeholderOf(name: string): string {
  const words = name.replaceAll(/[A-Z]|\d+/g, (found) => ` ${found.toLowerCase()}`)
  if (CREDENTIAL_NAMES.includes(name)) return `<${words.replaceAll(' ', '_').toUpperCase()}>`
  return CHECKED[name] ?? `<${words}>`
}

/**
 * Replaces personal values and credentials with placeholders of the same type: a recording has pseudonyms in their place, which a reader
 * would take for someone's own. Everything else stays byte for byte.
 * @throws JsonError
 */
function bodyWithPlaceholders(body: string): string {
  let json: Uint8Array = Buffer.from(body)
  for (const { name, names } of NAMES) {
    if (!body.includes(`"${name}"`)) continue
    json = redactJson(json, names, (_, text, start, end) => {
      const type = typeAt(text, start)
      if (type === 'number') return Buffer.from(NUMBER)
      return type === 'string' && end - start > 2 ? Buffer.from(JSON.stringify(placeholderOf(name))) : undefined
    })
  }
  return Buffer.from(json).toString()
}

/** Replaces personal values and credentials in a query, given without its question mark. */
const queryWithPlaceholders = (query: string): string =>
  query === ''
    ? query
    : NAMES.reduce((redacted, { name, names }) => redactQuery(redacted, names, () => placeholderOf(name)), query)

/**
 * Returns the part of an example that a client sends. Members that no line of the mapping knows stay, because it is not known whether the
 * client sends them.
 */
function restrictedExample(mapping: Operation, example: Json, sent: Marks): Json {
  const mapped = new Set(explain(mapping).flatMap(({ part, legacy }) => (part === 'request' && legacy ? [legacy] : [])))
  const names = Object.keys(sent)
  const isSent = (path: string): boolean =>
    Object.hasOwn(sent, path) || names.some((name) => name.startsWith(`${path}.`) || name.startsWith(`${path}[`))
  const isGroup = (path: string): boolean => [...mapped].some((name) => name.startsWith(`${path}.`))
  const restrict = (value: unknown, path: string): unknown => {
    if ((mapped.has(path) || isGroup(path)) && !isSent(path)) return undefined
    if (Array.isArray(value)) {
      const items = value.map((item) => (isObject(item) ? restrictObject(item, `${path}[].`) : item))
      return items.every((item) => isObject(item) && Object.keys(item).length === 0) ? undefined : items
    }
    if (!isObject(value)) return value
    const members = restrictObject(value, `${path}.`)
    return Object.keys(members).length === 0 ? undefined : members
  }
  const restrictObject = (object: Json, prefix: string): Json =>
    Object.fromEntries(
      Object.entries(object).flatMap(([name, value]) => {
        const restricted = restrict(value, `${prefix}${name}`)
        return restricted === undefined ? [] : [[name, restricted]]
      }),
    )
  return restrictObject(example, '')
}
