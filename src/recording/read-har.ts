import { StringDecoder } from 'node:string_decoder'
import { Assembler } from 'stream-json/core/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { exchangeOfEntry } from './har-entry.ts'
import type { BadEntry, ReadOptions, RecordedExchange } from './recorded-exchange.ts'

/** Bytes parsed at a time. This bounds memory: every few bytes make a token. */
const PART = 2 * 1024
/** Splits after braces, because the parser returns nothing for a piece with an error: complete objects before it are parsed first. */
const PIECES = /(?<=\})/
/** The total length of all texts of an entry, in UTF-16 units. */
const MAX_TEXT = 64 * 1024 * 1024

/**
 * Reads the requests of an HTTP Archive (HAR 1.2). Skips answers of any size, unless everything is read. Where the file stops being
 * JSON, yields a problem with the entry's number and ends.
 */
export async function* readHar(
  chunks: AsyncIterable<Buffer>,
  { everything = false }: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  const decoder = new StringDecoder('utf8')
  const tokensOf = jsonTokens()
  const reader = entryReader(everything)
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk, decoder)) {
      const tokens = tokensOf(piece)
      if (tokens === undefined) {
        yield { line: reader.current(), problem: 'not JSON from here on' }
        return
      }
      for (const token of tokens) {
        const entry = reader.take(token)
        if (entry !== undefined) yield entry
      }
    }
  }
  if (!reader.isWhole()) yield { line: reader.current(), problem: 'not JSON: the file is cut off' }
}

function* piecesOf(chunk: Buffer, decoder: StringDecoder): Generator<string> {
  for (let at = 0; at < chunk.length; at += PART) yield* decoder.write(chunk.subarray(at, at + PART)).split(PIECES)
}

/** Returns a function that splits pieces of JSON into tokens; undefined: not JSON. Long strings and numbers come in chunks. */
function jsonTokens(): (piece: string) => readonly Token[] | undefined {
  const parse = jsonParser({ packValues: false, packKeys: true, streamKeys: false })
  return (piece) => {
    try {
      const tokens = parse(piece)
      return typeof tokens === 'object' && 'values' in tokens ? tokens.values : []
    } catch {
      return undefined
    }
  }
}

interface EntryReader {
  /** Reads one token; returns an entry if the token ends it. */
  take(token: Token): RecordedExchange | BadEntry | undefined
  /** Returns the number of the current or next entry. */
  current(): number
  /** Whether the JSON text is complete. */
  isWhole(): boolean
}

/** The members of an entry's request and answer that are read; the content of the answer only if everything is. */
const OF_REQUEST: ReadonlySet<unknown> = new Set(['method', 'url', 'headers', 'queryString', 'postData', 'bodySize'])
const OF_ANSWER: ReadonlySet<unknown> = new Set(['status', '_error'])

/** Builds the entries of a HAR from its tokens, one at a time, of only the members that are read. */
function entryReader(everything: boolean): EntryReader {
  const assembler = new Assembler()
  /** For each open container: the current member, or `[]` in an array. */
  const path: string[] = []
  let isStarted = false
  let finished = 0
  let parts: string[] = []
  let length = 0
  let problem: string | undefined

  const isEntry = (): boolean => path.length === 3 && path[0] === 'log' && path[1] === 'entries' && path[2] === '[]'
  const isRead = (): boolean => {
    if (path.length < 4) return isEntry()
    if (path[0] !== 'log' || path[1] !== 'entries' || path[2] !== '[]') return false
    const [, , , part, member] = path
    if (part === 'request') return path.length === 4 || OF_REQUEST.has(member)
    if (part === 'response') return path.length === 4 || OF_ANSWER.has(member) || (everything && member === 'content')
    return part === 'startedDateTime' && path.length === 4
  }
  const addText = (chunk: string): void => {
    length += chunk.length
    if (length <= MAX_TEXT) parts.push(chunk)
    else {
      problem ??= `its ${path[3] === 'response' ? 'answer' : 'request'} is longer than ${MAX_TEXT} characters`
      parts = []
    }
  }
  const endText = (): string => {
    const text = parts.join('')
    parts = []
    return text
  }
  const endEntry = (): RecordedExchange | BadEntry => {
    const entry = exchangeOfEntry(++finished, assembler.current, problem)
    length = 0
    problem = undefined
    return entry
  }

  return {
    take(token) {
      isStarted = true
      if (token.name === 'keyValue') path[path.length - 1] = token.value
      else if (token.name === 'endObject' || token.name === 'endArray') path.pop()
      const isTaken = isRead()
      if (token.name === 'startObject') path.push('')
      else if (token.name === 'startArray') path.push('[]')
      if (!isTaken) return undefined
      switch (token.name) {
        case 'startString':
        case 'startNumber':
          return undefined
        case 'stringChunk':
        case 'numberChunk':
          addText(token.value)
          return undefined
        case 'endString':
          assembler.stringValue(endText())
          break
        case 'endNumber':
          assembler.numberValue(endText())
          break
        default:
          assembler.consume(token)
      }
      return assembler.done && isEntry() ? endEntry() : undefined
    },
    current: () => finished + 1,
    isWhole: () => isStarted && path.length === 0,
  }
}
