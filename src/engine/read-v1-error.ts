import { JsonError, viewOf } from './json/json-bytes.ts'
import { endOfText, startOfText, typeAt, walkMembers } from './json/json-walk.ts'
import { scanValue } from './json/scan.ts'
import { textsOf } from './json/texts-of.ts'

/** v1's error body (the contract, Errors), as far as it could be read. */
export interface V1ErrorBody {
  readonly code: string | undefined
  readonly message: string | undefined
  readonly errors: readonly { readonly path: string; readonly message: string | undefined }[]
  /** As JSON text, its digits as v1 wrote them. */
  readonly params: string | undefined
}

const UNREADABLE: V1ErrorBody = { code: undefined, message: undefined, errors: [], params: undefined }

/** Reads an error body, which may be anything: what is not as the contract says is left out. */
export function readV1Error(body: Uint8Array): V1ErrorBody {
  try {
    const members = new Map<string, string>()
    const start = startOfText(body)
    if (typeAt(body, start) !== 'object') return UNREADABLE
    const view = viewOf(body)
    const texts = textsOf(body)
    const end = walkMembers(view, start, body.length, (keyAt, keyEnd, at) => {
      const valueEnd = scanValue(view, at, body.length)
      members.set(texts.string(keyAt, keyEnd), texts.text(at, valueEnd))
      return valueEnd
    })
    endOfText(body, end)
    return {
      code: text(members.get('code')),
      message: text(members.get('message')),
      errors: readErrors(members.get('errors')),
      params: members.get('params') === 'null' ? undefined : members.get('params'),
    }
  } catch (error) {
    if (error instanceof JsonError) return UNREADABLE
    throw error
  }
}

function text(json: string | undefined): string | undefined {
  const value: unknown = json === undefined ? undefined : JSON.parse(json)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function readErrors(json: string | undefined): V1ErrorBody['errors'] {
  const errors: unknown = json === undefined ? undefined : JSON.parse(json)
  if (!Array.isArray(errors)) return []
  return errors.flatMap((error: unknown) => {
    if (typeof error !== 'object' || error === null || !('path' in error) || typeof error.path !== 'string') return []
    const message = 'message' in error && typeof error.message === 'string' ? error.message : undefined
    return [{ path: error.path, message }]
  })
}
