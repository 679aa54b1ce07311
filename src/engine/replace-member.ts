import { skipValue } from './json/json-scan.ts'
import { startOfText, walkObject } from './json/json-walk.ts'

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
