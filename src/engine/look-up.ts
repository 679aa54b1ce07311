import { CLOSE_ARRAY, OPEN_ARRAY, skipSpace, skipValue } from './json/json-scan.ts'
import { startOfText, stringAt, typeAt, walkObject } from './json/json-walk.ts'

/** Returns the value of a member of the object at `at`, as JSON text. Of a duplicate member, the last one counts. */
export function memberText(json: Uint8Array, at: number, name: string): Uint8Array | undefined {
  if (typeAt(json, at) !== 'object') return undefined
  let found: Uint8Array | undefined
  walkObject(json, at, (member, valueAt) => {
    const end = skipValue(json, valueAt)
    if (member === name) found = json.subarray(valueAt, end)
    return end
  })
  return found
}

/** Returns the start of each item of the array at `at`. Empty if the value is not an array. */
export function itemsAt(json: Uint8Array, at: number): readonly number[] {
  const items: number[] = []
  if (json[at] !== OPEN_ARRAY) return items
  at = skipSpace(json, at + 1)
  while (json[at] !== CLOSE_ARRAY) {
    items.push(at)
    at = skipSpace(json, skipValue(json, at))
    if (json[at] !== CLOSE_ARRAY) at = skipSpace(json, at + 1)
  }
  return items
}

/**
 * Finds values in the records of a list, a JSON text that is a root array: `take` of the record whose `match` is the
 * text `key`. Walks the list once for each pair of members, on its first use.
 */
export function recordFinder(list: Uint8Array): (match: string, key: string, take: string) => Uint8Array | undefined {
  const indices = new Map<string, Map<string, Uint8Array>>()
  const index = (match: string, take: string): Map<string, Uint8Array> => {
    const values = new Map<string, Uint8Array>()
    for (const at of itemsAt(list, startOfText(list))) {
      const key = memberText(list, at, match)
      const value = memberText(list, at, take)
      if (key !== undefined && value !== undefined && typeAt(key, 0) === 'string') {
        values.set(stringAt(key, 0, key.length), value)
      }
    }
    return values
  }
  return (match, key, take) => {
    const name = JSON.stringify([match, take])
    const values = indices.get(name) ?? index(match, take)
    indices.set(name, values)
    return values.get(key)
  }
}

/**
 * Finds values in the rows of a request's lists. `body` is a JSON text that is an object. The finder returns `take` of row
 * `index` of the member `list`, if that list has `count` rows.
 */
export function requestRowFinder(
  body: Uint8Array,
): (list: string, take: string, index: number, count: number) => Uint8Array | undefined {
  const lists = new Map<string, { readonly json: Uint8Array; readonly rows: readonly number[] }>()
  return (list, take, index, count) => {
    const json = lists.get(list)?.json ?? memberText(body, startOfText(body), list) ?? EMPTY_LIST
    const rows = lists.get(list)?.rows ?? itemsAt(json, 0)
    lists.set(list, { json, rows })
    const at = rows[index]
    return rows.length === count && at !== undefined ? memberText(json, at, take) : undefined
  }
}

const EMPTY_LIST = new TextEncoder().encode('[]')
