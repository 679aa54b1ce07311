import type { Token } from 'stream-json/core/parser.js'
import type { HarEntry } from './har-entry.ts'
import { exchangeOfEntry } from './read-har-entry.ts'
import type { BadEntry, RecordedExchange } from './read-request.ts'

export interface HarReader {
  /** Goes on by one token; gives an entry when it ends. */
  take(token: Token): RecordedExchange | BadEntry | undefined
  /** The number of the entry that is being read, or would come next. */
  current(): number
  /** Whether the text has been read to its end. */
  isWhole(): boolean
}

const ENTRY = 'log.entries.[]'
const REQUEST = `${ENTRY}.request.`
/** The texts of a request that are kept. A body may have been written to a file of its own (`_file`). */
const TEXTS: ReadonlySet<string> = new Set([
  ...['method', 'url', 'postData.text', 'postData.encoding', 'postData.mimeType', 'postData._file'],
  ...['headers.[].name', 'headers.[].value'],
])
/** Numbers, as they are written. `Content-Length` is one to some programs. */
const NUMBERS: ReadonlySet<string> = new Set(['bodySize', 'headers.[].value'])
/** How deep the deepest of what is looked at lies. */
const MAX_DEPTH = 7
/** What all texts of an entry may have together, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024

/** Picks the requests out of the tokens of a HAR. Of everything else nothing is kept. */
export function harReader(): HarReader {
  /** Of each container that is open: the member that is being read, `[]` in an array. */
  const path: string[] = []
  let isStarted = false
  let finished = 0
  let entry: HarEntry | undefined
  /** Where the text is that is being read; undefined: it is not kept. */
  let textAt: string | undefined
  let parts: string[] = []
  let length = 0

  const place = (): string => (path.length <= MAX_DEPTH ? path.join('.') : '')
  /** The place within the request of the entry; empty elsewhere. */
  const placeInRequest = (): string => {
    const at = path[3] === 'request' ? place() : ''
    return at.startsWith(REQUEST) ? at.slice(REQUEST.length) : ''
  }

  const start = (type: 'object' | 'string' | 'number' | 'other' | 'null'): void => {
    isStarted = true
    if (path.length === 3 && place() === ENTRY) {
      const problem = type === 'object' ? undefined : 'not an object'
      entry = { texts: new Map(), headers: [], hasParameters: false, problem }
      length = 0
    }
    if (entry === undefined) return
    const at = placeInRequest()
    if (at === 'headers.[]') entry.headers.push({ name: '', value: '' })
    else if (at === 'postData.params.[]') entry.hasParameters = true
    else if (at === 'postData.text' && type !== 'string' && type !== 'null') {
      entry.problem ??= 'request.postData.text is no string'
    }
    if ((type === 'string' && TEXTS.has(at)) || (type === 'number' && NUMBERS.has(at))) textAt = at
  }

  const addText = (chunk: string): void => {
    if (textAt === undefined || entry === undefined) return
    length += chunk.length
    if (length <= MAX_TEXT) {
      parts.push(chunk)
    } else {
      entry.problem ??= `its request is longer than ${MAX_TEXT} characters`
      parts = []
    }
  }

  const endText = (): void => {
    const text = parts.join('')
    const header = entry?.headers.at(-1)
    if (textAt === 'headers.[].name' && header !== undefined) header.name = text
    else if (textAt === 'headers.[].value' && header !== undefined) header.value = text
    else if (textAt !== undefined) entry?.texts.set(textAt, text)
    textAt = undefined
    parts = []
  }

  const end = (): RecordedExchange | BadEntry | undefined => {
    if (entry === undefined || path.length !== 3) return undefined
    const ended = exchangeOfEntry(++finished, entry)
    entry = undefined
    return ended
  }

  const take = (token: Token): RecordedExchange | BadEntry | undefined => {
    switch (token.name) {
      case 'keyValue':
        path[path.length - 1] = token.value
        return undefined
      case 'startObject':
      case 'startArray':
        start(token.name === 'startObject' ? 'object' : 'other')
        path.push(token.name === 'startObject' ? '' : '[]')
        return undefined
      case 'endObject':
      case 'endArray':
        path.pop()
        return end()
      case 'startString':
        start('string')
        return undefined
      case 'stringChunk':
      case 'numberChunk':
        addText(token.value)
        return undefined
      case 'endString':
        endText()
        return end()
      case 'startNumber':
        start('number')
        return undefined
      case 'endNumber':
        endText()
        return end()
      case 'nullValue':
      case 'trueValue':
      case 'falseValue':
        start(token.name === 'nullValue' ? 'null' : 'other')
        return end()
      default:
        return undefined
    }
  }

  return { take, current: () => finished + 1, isWhole: () => isStarted && path.length === 0 }
}
