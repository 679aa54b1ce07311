import { viewOf } from './scan-json.ts'
import { endOfJson, skipValue, startOfText, typeAt, walkItems, walkObject } from './walk-json.ts'

/** Says where a text stops being JSON, by line and column; undefined: it is JSON. */
export function jsonMistake(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text)
  const position = endOfJson(bytes)
  if (position === undefined) return undefined
  const before = new TextDecoder().decode(bytes.subarray(0, position))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  const found = text.slice(before.length, before.length + 1)
  const what = found === '' ? 'the text ends too early' : `unexpected ${JSON.stringify(found)}`
  return `not JSON: line ${line}, column ${column}: ${what}${HINTS[found] ?? ''}`
}

/** What people write that JSON does not have. */
const HINTS: Readonly<Record<string, string>> = {
  '}': '; is there a comma before it, or a value missing?',
  ']': '; is there a comma before it?',
  "'": '; texts are written in double quotes',
  '/': '; JSON has no comments',
  '#': '; JSON has no comments',
}

/**
 * Returns the paths of members that an object has more than once, such as `operations.*.serve` or `ignore.0.why`. `JSON.parse`
 * silently takes the last one.
 * @param text a text that `JSON.parse` accepts.
 */
export function doubledMembers(text: string): readonly string[] {
  const json = new TextEncoder().encode(text)
  const doubled = new Set<string>()
  const walk = (at: number, path: readonly (string | number)[]): number => {
    const type = typeAt(json, at)
    const names = new Set<string>()
    let index = 0
    if (type === 'array') return walkItems(viewOf(json), at, json.length, (itemAt) => walk(itemAt, [...path, index++]))
    if (type !== 'object') return skipValue(json, at)
    return walkObject(json, at, (name, valueAt) => {
      if (names.has(name)) doubled.add([...path, name].join('.'))
      names.add(name)
      return walk(valueAt, [...path, name])
    })
  }
  walk(startOfText(json), [])
  return [...doubled]
}
