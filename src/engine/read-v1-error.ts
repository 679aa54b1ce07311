import { bufferOf } from './json/json-bytes.ts'
import { skipValue } from './json/json-scan.ts'
import { startOfText, textOf, walkObject } from './json/json-walk.ts'

/** v1's error body (docs/contract.md 9.1), as far as it could be read. */
export interface V1ErrorBody {
  readonly code: string | undefined
  readonly message: string | undefined
  readonly errors: readonly { readonly path: string; readonly message: string | undefined }[]
  /** As JSON text, its digits as v1 wrote them. */
  readonly params: string | undefined
}

const UNREADABLE: V1ErrorBody = { code: undefined, message: undefined, errors: [], params: undefined }

/** Larger error bodies are not read: that would hold up everybody else. */
const MOST_READ = 256 * 1024

/** Reads an error body, which may be anything: what is not as the contract says, or too large, is left out. */
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

/** The text of what has been parsed already: of a name that comes twice, the last value counts there too. */
function paramsOf(body: Uint8Array): string | undefined {
  let params: string | undefined
  walkObject(body, startOfText(body), (name, at) => {
    const end = skipValue(body, at)
    if (name === 'params') params = textOf(body, at, end)
    return end
  })
  return params
}
