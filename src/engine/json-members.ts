import { viewOf } from './json/scan-json.ts'
import { skipValue, startOfText, stringAt, typeAt, walkItems, walkObject } from './json/walk-json.ts'

/**
 * Returns the values of members of the object at `at`, as JSON texts, in the order of `names`: undefined for a member that it does not
 * have, or if the value is no object. Of a duplicate member, the last one counts.
 */
export function memberTexts(
  json: Uint8Array,
  at: number,
  names: readonly string[],
): readonly (Uint8Array | undefined)[] {
  const texts: (Uint8Array | undefined)[] = names.map(() => undefined)
  if (typeAt(json, at) !== 'object') return texts
  walkObject(json, at, (name, valueAt) => {
    const end = skipValue(json, valueAt)
    const index = names.indexOf(name)
    if (index !== -1) texts[index] = json.subarray(valueAt, end)
    return end
  })
  return texts
}

/** Returns the value of one member of the object at `at`, as `memberTexts` does. */
export const memberText = (json: Uint8Array, at: number, name: string): Uint8Array | undefined =>
  memberTexts(json, at, [name])[0]

/** Returns the start of each item of the array at `at`. Empty if the value is not an array. */
export function itemsAt(json: Uint8Array, at: number): readonly number[] {
  const items: number[] = []
  if (typeAt(json, at) !== 'array') return items
  walkItems(viewOf(json), at, json.length, (item) => {
    items.push(item)
    return skipValue(json, item)
  })
  return items
}

/**
 * Finds values in the records of a list, a JSON text that is a root array: `take` of the record whose `match` is the
 * text `key`. Walks the list once for each pair of members, on its first use.
 */
export function recordFinder(list: Uint8Array): (match: string, key: string, take: string) => Uint8Array | undefined {
  const indices = new Map<string, Map<string, Uint8Array>>()
  const indexOf = (match: string, take: string): Map<string, Uint8Array> => {
    const values = new Map<string, Uint8Array>()
    for (const at of itemsAt(list, startOfText(list))) {
      const [key, value] = memberTexts(list, at, [match, take])
      if (key !== undefined && value !== undefined && typeAt(key, 0) === 'string') {
        values.set(stringAt(key, 0, key.length), value)
      }
    }
    return values
  }
  return (match, key, take) => {
    const name = JSON.stringify([match, take])
    const index = indices.get(name) ?? indexOf(match, take)
    indices.set(name, index)
    return index.get(key)
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

/** Replaces the value of a root member of a JSON object, every time the member occurs. All other bytes stay the same. */
export function replaceMember(json: Uint8Array, name: string, value: string): Uint8Array {
  const pieces: Uint8Array[] = []
  const replacement = Buffer.from(value)
  let copied = 0
  walkObject(json, startOfText(json), (member, at) => {
    const end = skipValue(json, at)
    if (member === name) {
      pieces.push(json.subarray(copied, at), replacement)
      copied = end
    }
    return end
  })
  return Buffer.concat([...pieces, json.subarray(copied)])
}
