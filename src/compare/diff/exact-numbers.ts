import { decimalOf, ExactNumber } from './decimal.ts'
import type { JsonObject, JsonValue } from './json-value.ts'

/**
 * Replaces each number of a parsed body that a double cannot fully represent by an exact one. A reviver would do the same, but
 * takes several times as long.
 * @param json the body, which `JSON.parse` accepted. @param parsed the result of `JSON.parse`; it is changed in place.
 */
export function withExactNumbers(json: Uint8Array, parsed: JsonValue): JsonValue {
  return new Walk(json).value(parsed)
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const SPACE = 0x20

/** Walks a body and its parsed value together. If a member is repeated, the last one is walked last, so it decides. */
class Walk {
  readonly #json: Buffer
  #at = 0

  constructor(json: Uint8Array) {
    this.#json = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  }

  /** Walks over the next value; returns the value that replaces `parsed` at this place. */
  value(parsed: JsonValue | undefined): JsonValue {
    const byte = this.#next()
    if (byte === QUOTE) this.#skipString()
    else if (byte === OPENING_BRACE) this.#object(parsed)
    else if (byte === OPENING_BRACKET) this.#array(parsed)
    else return this.#word(parsed)
    return parsed as JsonValue
  }

  #object(parsed: JsonValue | undefined): void {
    const members = isParsedObject(parsed) ? (parsed as Record<string, JsonValue>) : undefined
    this.#each(CLOSING_BRACE, () => {
      const start = this.#at
      const end = this.#skipString()
      this.#next()
      // The colon.
      this.#at++
      if (this.#next() === QUOTE) return this.#skipString()
      const name = this.#textOf(start, end)
      if (members === undefined || !Object.hasOwn(members, name)) return this.value(undefined)
      return replace(members, name, this.value(members[name]))
    })
  }

  #array(parsed: JsonValue | undefined): void {
    const items = Array.isArray(parsed) ? (parsed as JsonValue[]) : []
    let index = 0
    this.#each(CLOSING_BRACKET, () => {
      if (index < items.length) replace(items, index, this.value(items[index]))
      else this.value(undefined)
      index++
    })
  }

  #each(closing: number, walk: () => unknown): void {
    this.#at++
    for (let byte = this.#next(); byte !== closing; byte = this.#next()) {
      if (byte === COMMA) this.#at++
      else walk()
    }
    this.#at++
  }

  /** Returns the position after the string that begins here. */
  #skipString(): number {
    this.#at = endOfString(this.#json, this.#at) + 1
    return this.#at
  }

  #textOf(start: number, end: number): string {
    const inside = this.#json.toString('utf8', start + 1, end - 1)
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
  }

  /** Walks over a number, or `true`, `false` or `null`. */
  #word(parsed: JsonValue | undefined): JsonValue {
    const start = this.#at
    while (this.#at < this.#json.length && !isEnd(this.#json[this.#at] as number)) this.#at++
    if (typeof parsed !== 'number' && !(parsed instanceof ExactNumber)) return parsed as JsonValue
    const source = this.#json.toString('latin1', start, this.#at)
    const isNumber = source !== 'null' && source !== 'true' && source !== 'false'
    return isNumber ? decimalOf(source) : parsed
  }

  /** Skips white space and returns the next byte. */
  #next(): number {
    while ((this.#json[this.#at] as number) <= SPACE) this.#at++
    return this.#json[this.#at] as number
  }
}

const isParsedObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)

const isEnd = (byte: number): boolean =>
  byte === COMMA || byte === CLOSING_BRACE || byte === CLOSING_BRACKET || byte <= SPACE

function replace<Key extends PropertyKey>(holder: Record<Key, JsonValue>, key: Key, value: JsonValue): void {
  if (holder[key] !== value) holder[key] = value
}

/** Returns the position of the closing quote of the string that opens at `at`. */
export function endOfString(json: Uint8Array, at: number): number {
  for (at++; at < json.length && json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++
  return at
}
