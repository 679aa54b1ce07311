import type { NotJson } from '../engine/json/scan-json.ts'
import { endOfJson, whyNotJson } from '../engine/json/walk-json.ts'

/** The reason why an answer is malformed, in words of a bounded set, without anything of its body. */
export interface Malformed {
  readonly says: string
  /** Where it stops being JSON, in bytes from 0; undefined: it does not matter. */
  readonly at: number | undefined
}

/** Up to here, an error is at the beginning of a text. */
const BEGINNING = 1_000

/** Says why a text is not JSON. @param charset what the answer says it is in; undefined: nothing. */
export function malformedText(what: NotJson, position: number, charset: string | undefined): Malformed {
  if (what === 'not UTF-8') {
    const says = charset === undefined || charset === 'utf-8' ? what : `${what}: it says charset=${charset}`
    return { says, at: undefined }
  }
  if (what === 'gzip') return { says: 'gzip, which no Content-Encoding says', at: undefined }
  if (what === 'cut off') return { says: what, at: position }
  if (what !== 'not JSON') return { says: what, at: undefined }
  if (position === 0) return { says: 'not JSON at byte 0', at: 0 }
  return { says: `not JSON ${position < BEGINNING ? 'within' : 'after'} the first 1,000 bytes`, at: position }
}

/** Says why a body is not JSON; undefined: it is, or it is nested too deeply to be compared. */
export function whyMalformed(body: Uint8Array, charset: string | undefined): Malformed | undefined {
  const position = endOfJson(body) ?? (body.length === 0 ? 0 : undefined)
  const what = whyNotJson(body, position ?? 0)
  return position === undefined && what === 'not JSON' ? undefined : malformedText(what, position ?? 0, charset)
}

/** Says why an answer of a service is malformed by the message of the error; undefined: the message does not say. */
export function malformedBy(message: string): string | undefined {
  if (message.startsWith('not HTTP')) return 'not HTTP'
  if (/content coding|decode/i.test(message)) return 'a content coding that cannot be undone'
  const status = /^v1 answered (\d{3}) /.exec(message)?.[1]
  if (status !== undefined) return `status ${status} without a body`
  const [, where, what] = /^(.{1,200}): no (.{1,200}), which the contract promises$/.exec(message) ?? []
  if (where === undefined) return undefined
  return what === 'object' || what === 'array' ? `wrong type: ${where} is no ${what}` : `${where} has no ${what}`
}
