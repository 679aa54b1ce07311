import { viewOf } from './json/json-bytes.ts'
import { JsonError, OPEN_ARRAY, skipValue } from './json/json-scan.ts'
import { endOfText, startOfText, textOf, typeAt, walkItems, walkObject } from './json/json-walk.ts'

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

/** Reads an error body, which may be anything. Leaves out everything that differs from the contract. */
export function readV1Error(body: Uint8Array): V1ErrorBody {
  try {
    return readMembers(body)
  } catch (error) {
    if (error instanceof JsonError) return UNREADABLE
    throw error
  }
}

function readMembers(body: Uint8Array): V1ErrorBody {
  const start = startOfText(body)
  if (typeAt(body, start) !== 'object') return UNREADABLE
  /** Where each value begins and ends. Of a duplicate member, the last one counts, as in `JSON.parse`. */
  const values = new Map<string, readonly [at: number, end: number]>()
  const end = walkObject(body, start, (name, at) => {
    const valueEnd = skipValue(body, at)
    values.set(name, [at, valueEnd])
    return valueEnd
  })
  endOfText(body, end)
  const textAt = (name: string): string | undefined => {
    const value = values.get(name)
    return value && textOf(body, ...value)
  }
  const errors = values.get('errors')
  const [paramsAt = 0, paramsEnd = 0] = values.get('params') ?? []
  const isTooLarge = paramsEnd - paramsAt > MOST_PARAMS
  const params = isTooLarge ? undefined : textAt('params')
  return {
    code: sentence(textAt('code')),
    message: sentence(textAt('message')),
    ...readErrors(body, errors?.[0]),
    params: params === 'null' ? undefined : params,
    paramsLeftOut: isTooLarge ? paramsEnd - paramsAt : 0,
  }
}

/** Returns the text that a JSON value is; undefined if it is no text or only white space. */
function sentence(json: string | undefined): string | undefined {
  if (json?.startsWith('"') !== true) return undefined
  const text = JSON.parse(json) as string
  return text.trim() === '' ? undefined : text
}

function readErrors(body: Uint8Array, at: number | undefined): Pick<V1ErrorBody, 'errors' | 'leftOut'> {
  const errors: V1ErrorBody['errors'][number][] = []
  let leftOut = 0
  if (at !== undefined && body[at] === OPEN_ARRAY) {
    walkItems(viewOf(body), at, body.length, (item) => {
      const end = skipValue(body, item)
      if (errors.length === MOST_ERRORS) leftOut++
      else if (typeAt(body, item) === 'object') {
        const { path, message } = JSON.parse(textOf(body, item, end)) as { path?: unknown; message?: unknown }
        if (typeof path === 'string') errors.push({ path, message: typeof message === 'string' ? message : undefined })
      }
      return end
    })
  }
  return { errors, leftOut }
}
