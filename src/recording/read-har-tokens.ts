import type { Token } from 'stream-json/core/parser.js'
import { ANSWER, type HarEntry, LISTS, type Named, STARTED } from './har-entry.ts'
import { exchangeOfEntry } from './read-har-entry.ts'
import type { BadEntry, ReadOptions, RecordedExchange } from './read-request.ts'

export interface HarReader {
  /** Reads one token; returns an entry if the token ends it. */
  take(token: Token): RecordedExchange | BadEntry | undefined
  /** Returns the number of the current or next entry. */
  current(): number
  /** Whether the JSON text is complete. */
  isWhole(): boolean
}

const ENTRY = 'log.entries.[]'
const REQUEST = `${ENTRY}.request.`
const RESPONSE = `${ENTRY}.response.`
/** The texts of an entry that are kept. `_file` names a body in a separate file. */
const TEXTS: ReadonlySet<string> = new Set([
  ...['method', 'url', 'postData.text', 'postData.encoding', 'postData.mimeType', 'postData._file'],
  ...Object.keys(LISTS).flatMap((list) => [`${list}.name`, `${list}.value`, `${list}.fileName`]),
  ...[STARTED, ...Object.values(ANSWER)],
])
/** Numbers that are kept, in their source form. Some programs write `Content-Length` as a number. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...Object.keys(LISTS).map((list) => `${list}.value`),
  ...['bodySize', ANSWER.status],
])
/** The depth of the deepest place that is read. */
const MAX_DEPTH = 8
/** The total length of all texts of an entry, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024

const isList = (place: string): place is keyof typeof LISTS => Object.hasOwn(LISTS, place)

function set(named: Named, member: string, text: string): void {
  if (member === 'name' || member === 'value') named[member] = text
  else named.isFile = true
}

/** Extracts the requests and statuses from the tokens of a HAR, and also the answers if everything is read. Keeps nothing else. */
export function harReader({ everything, statuses }: ReadOptions = {}): HarReader {
  /** For each open container: the current member, or `[]` in an array. */
  const path: string[] = []
  let isStarted = false
  let finished = 0
  let entry: HarEntry | undefined
  /** The place of the current text; undefined: it is not kept. */
  let textAt: string | undefined
  let parts: string[] = []
  let length = 0

  const place = (): string => (path.length <= MAX_DEPTH ? path.join('.') : '')
  /** Returns the place within the entry's request, or `STARTED`; empty elsewhere. */
  const placeInEntry = (): string => {
    if (path.length === 4 && place() === STARTED) return STARTED
    const isRead = path[3] === 'request' || (path[3] === 'response' && (everything === true || path.length === 5))
    const at = isRead ? place() : ''
    if (at.startsWith(RESPONSE)) return at.slice(ENTRY.length + 1)
    return at.startsWith(REQUEST) ? at.slice(REQUEST.length) : ''
  }

  const start = (type: 'object' | 'string' | 'number' | 'other' | 'null'): void => {
    isStarted = true
    if (path.length === 3 && place() === ENTRY) {
      const problem = type === 'object' ? undefined : 'not an object'
      entry = { texts: new Map(), headers: [], query: [], params: [], problem }
      length = 0
    }
    if (entry === undefined) return
    const at = placeInEntry()
    if (isList(at)) entry[LISTS[at]].push({ name: '', value: '', isFile: false })
    else if (at === 'postData.text' && type !== 'string' && type !== 'null') {
      entry.problem ??= 'request.postData.text is not a string'
    }
    if ((type === 'string' && TEXTS.has(at)) || (type === 'number' && NUMBERS.has(at))) textAt = at
  }

  const addText = (chunk: string): void => {
    if (textAt === undefined || entry === undefined) return
    length += chunk.length
    if (length <= MAX_TEXT) {
      parts.push(chunk)
    } else {
      entry.problem ??= `its ${textAt.startsWith('response') ? 'answer' : 'request'} is longer than ${MAX_TEXT} characters`
      parts = []
    }
  }

  const endText = (): void => {
    const text = parts.join('')
    const list = textAt?.slice(0, textAt.lastIndexOf('.')) ?? ''
    const named: Named | undefined = isList(list) ? entry?.[LISTS[list]].at(-1) : undefined
    if (named !== undefined) set(named, textAt?.slice(list.length + 1) ?? '', text)
    else if (textAt !== undefined) entry?.texts.set(textAt, text)
    textAt = undefined
    parts = []
  }

  const end = (): RecordedExchange | BadEntry | undefined => {
    if (entry === undefined || path.length !== 3) return undefined
    const ended = exchangeOfEntry(++finished, entry, everything === true || statuses === true)
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
