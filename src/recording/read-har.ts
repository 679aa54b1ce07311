import { StringDecoder } from 'node:string_decoder'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { harReader } from './read-har-tokens.ts'
import type { BadEntry, ReadOptions, RecordedExchange } from './read-request.ts'

/** Bytes parsed at a time. This bounds memory: every few bytes make a token. */
const PART = 2 * 1024
/** Splits after braces, because the parser returns nothing for a piece with an error: complete objects before it are parsed first. */
const PIECES = /(?<=\})/

/**
 * Reads the requests of an HTTP Archive (HAR 1.2). Skips answers of any size, unless everything is read. Where the file stops being
 * JSON, yields a problem with the entry's number and ends.
 */
export async function* readHar(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions = {},
): AsyncGenerator<RecordedExchange | BadEntry> {
  const decoder = new StringDecoder('utf8')
  const tokensOf = jsonTokens()
  const reader = harReader(options)
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
