import { StringDecoder } from 'node:string_decoder'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { harReader } from './read-har-tokens.ts'
import type { BadEntry, RecordedExchange } from './read-request.ts'

/** So many bytes are parsed at a time. It decides how much memory is needed: there is a token for every few of them. */
const PART = 2 * 1024
/** Of a text that is no JSON the parser gives nothing at all: what ends at a brace is parsed before what follows it. */
const PIECES = /(?<=\})/

/**
 * The requests of an HTTP Archive (HAR 1.2). Nothing is kept of the answers, however large. Where the file stops being JSON
 * the entry is told with its number, and the rest cannot be read.
 */
export async function* readHar(chunks: AsyncIterable<Buffer>): AsyncGenerator<RecordedExchange | BadEntry> {
  const decoder = new StringDecoder('utf8')
  const tokensOf = jsonTokens()
  const reader = harReader()
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

/** Makes tokens of a JSON text that comes in pieces; undefined: it is not JSON. Strings and numbers are never put together. */
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
