import { bufferOf, JsonError, viewOf } from './json/scan-json.ts'
import { endOfText, skipValue, startOfText, stringAt, textOf, typeAt, walkItems, walkObject } from './json/walk-json.ts'

/**
 * Statuses of v1 that the gateway answers unchanged (docs/decisions/0011). Answers, explanations and descriptions of errors
 * all use this list.
 */
export const KEPT_STATUSES: readonly number[] = [401, 403, 404, 405, 406, 409, 410, 413, 415, 416, 429, 451]

/** The readable parts of v1's error body (docs/contract.md 9.1). */
export interface V1ErrorBody {
  readonly code: string | undefined
  readonly message: string | undefined
  readonly errors: readonly { readonly path: string; readonly message: string | undefined }[]
  /** How many errors follow these, and are not read. */
  readonly leftOut: number
  /** As JSON text, with the digits that v1 wrote. */
  readonly params: string | undefined
  /** The size of `params` in bytes if they are too large to be read, otherwise 0. */
  readonly paramsLeftOut: number
}

const UNREADABLE: V1ErrorBody = {
  code: undefined,
  message: undefined,
  errors: [],
  leftOut: 0,
  params: undefined,
  paramsLeftOut: 0,
}

/** The most errors read: each becomes a violation, and more would block the event loop too long. */
export const MOST_ERRORS = 10_000

/** The largest `params` that are read, in bytes: they become part of the answer, and larger ones would block the event loop too long. */
const MOST_PARAMS = 2 * 1024 * 1024

/** The largest body that is parsed at once, which takes half as long; bytes. Larger ones would block the event loop too long. */
const SMALL = 16 * 1024

/** Reads an error body, which may be anything. Leaves out everything that differs from the contract. */
export function readV1Error(body: Uint8Array): V1ErrorBody {
  try {
    return (body.length <= SMALL ? readAtOnce(body) : undefined) ?? readMembers(body)
  } catch (error) {
    if (error instanceof JsonError) return UNREADABLE
    throw error
  }
}

/** Returns undefined if the body is not an object that `JSON.parse` takes. */
function readAtOnce(body: Uint8Array): V1ErrorBody | undefined {
  const json = parsed(body)
  if (typeof json !== 'object' || json === null) return undefined
  const { code, message, errors, params } = json as { readonly [Name in keyof V1ErrorBody]?: unknown }
  // Digits are those that v1 wrote, so they are read from the text.
  if (params !== undefined && params !== null) return undefined
  return {
    ...{ code: sentence(code), message: sentence(message), leftOut: 0, params: undefined, paramsLeftOut: 0 },
    errors: Array.isArray(errors) ? errors.flatMap(readError) : [],
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(bufferOf(body).toString())
  } catch {
    return undefined
  }
}

const sentence = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

/** Returns an error, or nothing if it has no path. */
function readError(error: unknown): V1ErrorBody['errors'] {
  if (typeof error !== 'object' || error === null) return []
  const { path, message } = error as { readonly path?: unknown; readonly message?: unknown }
  return typeof path === 'string' ? [{ path, message: typeof message === 'string' ? message : undefined }] : []
}

function readMembers(body: Uint8Array): V1ErrorBody {
  const start = startOfText(body)
  if (typeAt(body, start) !== 'object') return UNREADABLE
  // Of a duplicate member, the last one counts, as in `JSON.parse`.
  let code: string | undefined
  let message: string | undefined
  let [errorsAt, paramsAt, paramsEnd] = [0, 0, 0]
  const end = walkObject(body, start, (name, at) => {
    const valueEnd = skipValue(body, at)
    if (name === 'code') code = sentenceAt(body, at, valueEnd)
    else if (name === 'message') message = sentenceAt(body, at, valueEnd)
    else if (name === 'errors') errorsAt = at
    else if (name === 'params') [paramsAt, paramsEnd] = [at, valueEnd]
    return valueEnd
  })
  endOfText(body, end)
  const isTooLarge = paramsEnd - paramsAt > MOST_PARAMS
  const params = isTooLarge || paramsEnd === 0 ? undefined : textOf(body, paramsAt, paramsEnd)
  const { errors, leftOut } = readErrors(body, errorsAt)
  return {
    ...{ code, message, errors, leftOut },
    params: params === 'null' ? undefined : params,
    paramsLeftOut: isTooLarge ? paramsEnd - paramsAt : 0,
  }
}

/** Returns the text that a JSON value is; undefined if it is no text or only white space. */
const sentenceAt = (body: Uint8Array, at: number, end: number): string | undefined =>
  typeAt(body, at) === 'string' ? sentence(stringAt(body, at, end)) : undefined

function readErrors(body: Uint8Array, at: number): Pick<V1ErrorBody, 'errors' | 'leftOut'> {
  const errors: V1ErrorBody['errors'][number][] = []
  let leftOut = 0
  if (typeAt(body, at) !== 'array') return { errors, leftOut }
  walkItems(viewOf(body), at, body.length, (item) => {
    const end = skipValue(body, item)
    if (errors.length === MOST_ERRORS) leftOut++
    else if (typeAt(body, item) === 'object') errors.push(...readError(JSON.parse(textOf(body, item, end))))
    return end
  })
  return { errors, leftOut }
}
