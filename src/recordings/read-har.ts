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
  const reader = new EntryReader(everything)
  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk, decoder)) {
      const tokens = tokensOf(piece)
      if (tokens === undefined) {
        yield { line: reader.current, problem: 'not JSON from here on' }
        return
      }
      for (const token of tokens) {
        const entry = reader.take(token)
        if (entry !== undefined) yield entry
      }
    }
  }
  if (!reader.isWhole) yield { line: reader.current, problem: 'not JSON: the file is cut off' }
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

/** The members of an entry, its request and its answer that are read; the content of the answer only if everything is. */
const OF_ENTRY: ReadonlySet<unknown> = new Set(['startedDateTime', '_key', '_answeredBy'])
const OF_REQUEST: ReadonlySet<unknown> = new Set(['method', 'url', 'headers', 'queryString', 'postData', 'bodySize'])
const OF_ANSWER: ReadonlySet<unknown> = new Set(['status', '_error'])

/** Builds the entries of a HAR from its tokens, one at a time, of only the members that are read. */
class EntryReader {
  readonly #everything: boolean
  readonly #assembler = new Assembler()
  /** For each open container: the current member, or `[]` in an array. */
  readonly #path: string[] = []
  #isStarted = false
  #finished = 0
  #text: string[] = []
  #length = 0
  #problem: string | undefined

  constructor(everything: boolean) {
    this.#everything = everything
  }

  /** The number of the current or next entry. */
  get current(): number {
    return this.#finished + 1
  }

  /** Whether the JSON text is complete. */
  get isWhole(): boolean {
    return this.#isStarted && this.#path.length === 0
  }

  /** Reads one token; returns an entry if the token ends it. */
  take(token: Token): RecordedExchange | BadEntry | undefined {
    this.#isStarted = true
    if (token.name === 'keyValue') this.#path[this.#path.length - 1] = token.value
    else if (token.name === 'endObject' || token.name === 'endArray') this.#path.pop()
    const isRead = this.#isRead()
    if (token.name === 'startObject') this.#path.push('')
    else if (token.name === 'startArray') this.#path.push('[]')
    if (!isRead) return undefined
    switch (token.name) {
      case 'startString':
      case 'startNumber':
        return undefined
      case 'stringChunk':
      case 'numberChunk':
        this.#addText(token.value)
        return undefined
      case 'endString':
        this.#assembler.stringValue(this.#endText())
        break
      case 'endNumber':
        this.#assembler.numberValue(this.#endText())
        break
      default:
        this.#assembler.consume(token)
    }
    return this.#assembler.done && this.#path.length === 3 ? this.#endEntry() : undefined
  }

  /** Whether the current place is an entry, or a place in it that is read. */
  #isRead(): boolean {
    const [log, entries, item, part, member] = this.#path
    const depth = this.#path.length
    if (depth < 3 || log !== 'log' || entries !== 'entries' || item !== '[]') return false
    if (depth === 3) return true
    if (part === 'request') return depth === 4 || OF_REQUEST.has(member)
    if (part === 'response') return depth === 4 || OF_ANSWER.has(member) || (this.#everything && member === 'content')
    return OF_ENTRY.has(part) && depth === 4
  }

  #addText(chunk: string): void {
    this.#length += chunk.length
    if (this.#length <= MAX_TEXT) this.#text.push(chunk)
    else {
      const part = this.#path[3] === 'response' ? 'answer' : 'request'
      this.#problem ??= `its ${part} is longer than ${MAX_TEXT} characters`
      this.#text = []
    }
  }

  #endText(): string {
    const text = this.#text.join('')
    this.#text = []
    return text
  }

  #endEntry(): RecordedExchange | BadEntry {
    const entry = exchangeOfEntry(++this.#finished, this.#assembler.current, this.#problem, this.#everything)
    this.#length = 0
    this.#problem = undefined
    return entry
  }
}
