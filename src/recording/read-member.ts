const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d

/**
 * Returns the source text of a member's value; if the member is repeated, that of the last one. The text must be valid JSON, because
 * nothing is checked. Handles any depth without recursion.
 */
export const rawMember = (object: Buffer, name: string): Buffer | undefined => rawMembers(object, [name])[0]

/** Like `rawMember`, for several members in one walk. */
export function rawMembers(object: Buffer, names: readonly string[]): readonly (Buffer | undefined)[] {
  const found: (Buffer | undefined)[] = names.map(() => undefined)
  let at = object.indexOf(OPEN_OBJECT) + 1
  while (at < object.length && object[at] !== CLOSE_OBJECT) {
    if (object[at] !== QUOTE) {
      at++
      continue
    }
    const keyEnd = endOfString(object, at)
    const index = names.indexOf(JSON.parse(object.toString('utf8', at, keyEnd)) as string)
    const start = object.indexOf(COLON, keyEnd) + 1
    at = endOfValue(object, start)
    if (index !== -1) found[index] = trimmed(object.subarray(start, at))
  }
  return found
}

/** Returns the position after the string that opens at `at`. */
function endOfString(json: Buffer, at: number): number {
  at++
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** Returns the position of the comma or bracket that ends the value at `at`. White space around the value is part of it. */
function endOfValue(json: Buffer, at: number): number {
  let depth = 0
  while (at < json.length) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfString(json, at)
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
    if (depth < 0 || (depth === 0 && byte === COMMA)) return at
    at++
  }
  return at
}

function trimmed(json: Buffer): Buffer {
  let start = 0
  let end = json.length
  while (isSpace(json[start])) start++
  while (isSpace(json[end - 1])) end--
  return json.subarray(start, end)
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d
