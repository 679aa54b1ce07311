import { bufferOf } from './json/json-bytes.ts'
import { skipValue } from './json/json-scan.ts'
import { startOfText, textOf, walkObject } from './json/json-walk.ts'

/** The readable parts of v1's error body (docs/contract.md 9.1). */
export interface V1ErrorBody {
  readonly code: string | undefined
  readonly message: string | undefined
  readonly errors: readonly { readonly path: string; readonly message: string | undefined }[]
  /** As JSON text, with the digits that v1 wrote. */
  readonly params: string | undefined
}

const UNREADABLE: V1ErrorBody = { code: undefined, message: undefined, errors: [], params: undefined }

/** Larger error bodies are not read, because that would block the event loop too long. */
const MOST_READ = 256 * 1024

/** Reads an error body, which may be anything. Leaves out everything that differs from the contract or is too large. */
export function readV1Error(body: Uint8Array): V1ErrorBody {
  if (body.length > MOST_READ) return UNREADABLE
  const json = parse(body)
  if (typeof json !== 'object' || json === null) return UNREADABLE
  const { code, message, errors, params } = json as { readonly [Name in keyof V1ErrorBody]?: unknown }
  return {
    code: text(code),
    message: text(message),
    errors: Array.isArray(errors) ? readErrors(errors) : [],
    params: params === undefined || params === null ? undefined : paramsOf(body),
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(bufferOf(body).toString())
  } catch {
    return undefined
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

function readErrors(errors: readonly unknown[]): V1ErrorBody['errors'] {
  const read: V1ErrorBody['errors'][number][] = []
  for (const error of errors) {
    if (typeof error !== 'object' || error === null || !('path' in error) || typeof error.path !== 'string') continue
    const message = 'message' in error && typeof error.message === 'string' ? error.message : undefined
    read.push({ path: error.path, message })
  }
  return read
}

/** Returns the text of `params`. Of a duplicate member, the last one counts, as in `JSON.parse`. */
function paramsOf(body: Uint8Array): string | undefined {
  let params: string | undefined
  walkObject(body, startOfText(body), (name, at) => {
    const end = skipValue(body, at)
    if (name === 'params') params = textOf(body, at, end)
    return end
  })
  return params
}
