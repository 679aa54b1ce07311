import { JsonError } from '../../../src/engine/json/scan-json.ts'
import { endOfText, skipValue, startOfText } from '../../../src/engine/json/walk-json.ts'

/** The position at which the scanner refuses the text; undefined when it accepts it. */
export function errorPosition(text: string | Uint8Array): number | undefined {
  const json = Buffer.from(text)
  try {
    endOfText(json, skipValue(json, startOfText(json)))
    return undefined
  } catch (error) {
    if (error instanceof JsonError) return error.position
    throw error
  }
}

/** Whether `JSON.parse` accepts it. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
